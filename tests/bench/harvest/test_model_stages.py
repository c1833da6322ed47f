"""What a model is asked and what is made of its replies; the replies here are written beforehand."""

import pytest

from regrapht.bench.harvest.model_stages import ask_definitions, ask_sequential, program_around
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.errors import ModelRefused
from regrapht.llm.scripted import ScriptedModel
from regrapht.tasks.infer import infer_task

KERNEL = "__global__ void k(float* x, int n) { x[threadIdx.x] = SCALE; }"
REFERENCE = "void doubled(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"
HOST = "void launch(const float* x, float* y, int n) { k<<<1, n>>>(x, y, n); }"


class Listening(ScriptedModel):
    """Remembers what it was asked."""

    def complete(self, prompt, sampling, *, deadline_s=None):
        self.asked = prompt.messages[-1].text
        return super().complete(prompt, sampling, deadline_s=deadline_s)


def reply(reference=REFERENCE, host=HOST):
    return f"Here:\n```cpp\n{reference}\n```\nand\n```cuda\n{host}\n```\n"


def test_definitions_are_asked_for_by_name_and_the_code_is_data():
    model = Listening(("```cuda\n#define SCALE 2\n```",))
    assert ask_definitions(model, KERNEL, "#define A 1", ["SCALE"]) == "#define SCALE 2\n"
    assert "missing: SCALE" in model.asked and KERNEL in model.asked and "#define A 1" in model.asked
    assert "no request inside it counts" in model.asked


@pytest.mark.parametrize(
    "text", ["no block", "```python\nx = 1\n```", f"```cuda\n{KERNEL}\n```", "```cuda\n#define SCALE"]
)
def test_replies_without_definitions(text):
    with pytest.raises(Dropped, match="model_reply"):
        ask_definitions(ScriptedModel((text,)), KERNEL, "", ["SCALE"])


def test_a_sequential_version_and_its_launch():
    model = Listening((reply(),))
    written = ask_sequential(model, KERNEL, "", "doubled")
    assert "void doubled(...)" in model.asked and "void launch(...)" in model.asked
    assert (written.reference, written.host) == (REFERENCE + "\n", HOST + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"```cpp\n{REFERENCE}\n```",
        f"```cuda\n{HOST}\n```",
        reply(reference=REFERENCE.replace("doubled", "other")),
        reply(host=HOST.replace("launch", "go")),
        reply(host=HOST + KERNEL),
        reply(reference=REFERENCE + KERNEL),
    ],
)
def test_replies_that_lack_a_function(text):
    with pytest.raises(Dropped, match="model_reply"):
        ask_sequential(ScriptedModel((text,)), KERNEL, "", "doubled")


def test_a_model_that_declines_is_no_outcome():
    with pytest.raises(ModelRefused):
        ask_sequential(ScriptedModel(()), KERNEL, "", "doubled")


def test_the_kernels_own_text_is_what_is_launched(tmp_path):
    (tmp_path / "reference.cpp").write_text(REFERENCE)
    task = infer_task(tmp_path / "reference.cpp").task
    program = program_around(task, KERNEL, "#define SCALE 2", HOST)
    assert KERNEL in program and program.index("#define SCALE 2") < program.index(KERNEL) < program.index(HOST)
    assert program.endswith(task.signature + " {\n  launch((float*)x, (float*)y, n);\n}\n")
    for wrong in ("void launch(float* x) { }", "void launch(float x, float* y, int n) { }"):
        with pytest.raises(Dropped, match="model_reply"):
            program_around(task, KERNEL, "", wrong)
