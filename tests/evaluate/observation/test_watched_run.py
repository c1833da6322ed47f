"""Instrumented runs: what they see, and what becomes of references that do not build or do not end."""

import pytest

from regrapht.errors import CannotTransform, EvaluatorUnavailable
from regrapht.evaluate.observation.kept import KeptRuns
from regrapht.evaluate.observation.watched_cases import watched_cases
from regrapht.evaluate.observation.watched_run import WatchedRuns
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.verbatim.instrument import instrumented
from regrapht.transform.verbatim.observations import Met
from regrapht.transform.verbatim.scopes import Scopes

PREFIX = "void f(int n, const float* x, float* y) {\n  y[0] = x[0];\n  for (int i = 1; i < n; ++i) y[i] = y[i - 1] + x[i];\n}\n"


TWO_LOOPS = """void f(int n, int m, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[0] = x[0];
  for (int i = 0; i < m; ++i) y[0] = x[0];
}
"""


def task_of(text: str, *, sizes: tuple[dict[str, int], ...] = ({"n": 7}, {"n": 100})) -> Task:
    def array(name: str, role: Role) -> Arg:
        return Arg(name=name, kind=ArgKind.ARRAY, dtype=SCALAR_TYPES["float32"], shape=(Expression("n"),), role=role)

    return Task(
        id="f",
        title="f",
        description="",
        entry="f",
        reference=Reference(source=SourceFile(name="reference.cpp", text=text)),
        args=(
            *(Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]) for name in sizes[0]),
            array("x", Role.IN),
            array("y", Role.OUT),
        ),
        check_sizes=sizes,
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("n")),
        work=Work(bytes=Expression("n")),
    )


@pytest.fixture(scope="module")
def runs() -> WatchedRuns:
    try:
        return WatchedRuns(choose_sandbox(), wall_s=3)
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def test_turns_that_meet_are_named_with_their_place(runs):
    task = task_of(PREFIX)
    seen = runs(task, instrumented(Scopes(PREFIX, "f"), task).text)
    cases = watched_cases(task)
    sizes = [case.sizes["n"] for case in cases]
    assert sizes.count(7) == 3 and max(sizes) == 100
    assert seen.inputs == len(cases) and seen.sizes == tuple(f"n={n}" for n in sizes)
    (loop,) = seen.loops
    assert (loop.turns, loop.entries, loop.most_turns) == (sum(sizes) - len(sizes), len(sizes), 99)
    (carried,) = loop.met(Met.CARRIED)
    assert (carried.owner, carried.turns, carried.offset) == ("array y", (0, 1), 4)


def test_what_does_not_build_is_said(runs):
    task = task_of(PREFIX)
    with pytest.raises(CannotTransform, match="does not build with its accesses watched"):
        runs(task, "nonsense")


def test_what_does_not_end_is_said(runs):
    text = "void f(int n, const float* x, float* y) { for (;;) y[0] += x[0]; }"
    task = task_of(text)
    with pytest.raises(CannotTransform, match="an instrumented run of the reference"):
        runs(task, instrumented(Scopes(text, "f"), task).text)


def test_listed_calls_count_where_the_reference_cannot_take_others(runs):
    text = PREFIX.replace("y[0] = x[0];", "if (n != 7 && n != 100) __builtin_trap(); y[0] = x[0];")
    task = task_of(text)
    seen = runs(task, instrumented(Scopes(text, "f"), task).text)
    assert seen.sizes == ("n=7", "n=100") * 3 and seen.loops[0].met(Met.CARRIED)


@pytest.mark.parametrize(
    "shapes",
    [((9, 2), (100, 5)), ((9, 1000), (100, 1)), ((70, 7), (71, 7)), ((64, 0), (8, 0))],
    ids=["less", "more", "like", "none"],
)
@pytest.mark.parametrize("takes", ["true", "n >= m", "n < 2000"], ids=["all", "wider", "short"])
def test_work_is_that_of_the_listed_calls(runs, shapes, takes):
    text = TWO_LOOPS.replace("{\n", f"{{\n  if (!({takes})) m = 0;\n", 1)
    task = task_of(text, sizes=tuple({"n": n, "m": m} for n, m in shapes))
    seen = runs(task, instrumented(Scopes(text, "f"), task).text)
    assert len(set(seen.sizes)) > len(shapes)
    first, second = (loop.accesses for loop in sorted(seen.loops, key=lambda loop: loop.number))
    turns = sum(n for n, _ in shapes), sum(m for n, m in shapes if takes != "n >= m" or n >= m)
    a_turn, rest = divmod(first, 3 * turns[0])
    assert 2 <= a_turn <= 8 and rest == 0
    assert second == 3 * turns[1] * a_turn and seen.accesses >= first + second


def test_what_was_seen_is_kept(runs, tmp_path):
    task = task_of(PREFIX)
    kept = KeptRuns(folder=tmp_path)
    text = instrumented(Scopes(PREFIX, "f"), task).text
    first = kept(task, text)
    (file,) = tmp_path.iterdir()
    assert KeptRuns(folder=tmp_path)(task, text) == first
    file.write_text("torn")
    assert kept(task, text) == first
