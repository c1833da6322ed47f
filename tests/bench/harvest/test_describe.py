"""From a sequential version to a task: roles, what is drawn, and the reasons for giving up."""

import pytest

from regrapht.bench.harvest.describe import Identity, describe
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.tasks.load import load_task

IDENTITY = Identity(id="f_1", title="F", origin="k.cu: f", licence="MIT")


def described(tmp_path, text, **more):
    tomls, program = describe(
        text,
        "f",
        IDENTITY,
        folder=tmp_path,
        program_of=lambda task: f"// {task.signature}",
        try_lengths=None,
        guess=None,
        **more,
    )
    tasks = []
    for toml in tomls.values():
        (tmp_path / "task.toml").write_text(toml)
        (tmp_path / "baseline.cu").write_text(program)
        tasks.append(load_task(tmp_path))
    return tasks


def loop(body, parameters="const float* a, float* b, int n"):
    return f"void f({parameters}) {{ for (int i = 0; i < n; ++i) {{ {body} }} }}\n"


def test_what_a_task_says_of_itself(tmp_path):
    (task,) = described(tmp_path, loop("b[i] = 2 * a[i];"))
    assert (task.id, task.title, task.origin, task.licence) == ("f_1", "F", "k.cu: f", "MIT")
    assert [(arg.name, arg.role and arg.role.value) for arg in task.args] == [("a", "in"), ("b", "out"), ("n", None)]
    assert task.baselines[0].source.text == f"// {task.signature}"


def test_an_array_that_is_only_written_may_be_out_or_inout(tmp_path):
    tasks = described(tmp_path, loop("if (a[i] > 0) b[i] = a[i];"))
    assert [task.args[1].role.value for task in tasks] == ["out", "inout"]
    (task,) = described(tmp_path, loop("if (a[i] > 0) b[i] += a[i];"))
    assert task.args[1].role.value == "inout"


def test_scalars_are_drawn_where_nothing_else_is(tmp_path):
    (task,) = described(tmp_path, loop("b[i] = s * i;", "float* b, float s, int n"))
    assert task.args[1].init.kind == "uniform" and task.args[1].value is None
    (task,) = described(tmp_path, loop("b[i] = s * a[i];", "const float* a, float* b, float s, int n"))
    assert task.args[2].init.parameters == {"low": 0.4, "high": 0.6}, "and always above 0 beside other inputs"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (loop("b[i] = a[i ^ n];"), "range_unknown"),
        (loop("b[i] = 1;"), "unused_parameter"),
        (loop("(void)a[i];", "const float* a, int n"), "no_output"),
    ],
)
def test_what_the_code_does_not_say(tmp_path, text, reason):
    with pytest.raises(Dropped) as dropped:
        described(tmp_path, text)
    assert dropped.value.reason == reason


def test_lengths_are_tried_only_where_the_code_does_not_say(tmp_path):
    asked = []

    def try_lengths(task):
        asked.append(task)
        raise Dropped("range_unknown", "tried")

    def run(text):
        describe(
            text,
            "f",
            IDENTITY,
            folder=tmp_path,
            program_of=lambda task: "",
            try_lengths=try_lengths,
            guess=lambda file: file,
        )

    run(loop("b[i] = a[i];"))
    assert asked == []
    with pytest.raises(Dropped, match="tried"):
        run(loop("b[i] = a[i ^ n];"))
    assert len(asked) == 1
