"""Functions of one signature as tasks, and what is seen of their loops."""

import pytest

from regrapht.errors import CannotTransform, EvaluatorUnavailable
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.evaluate.observation.watched_run import WatchedRuns
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.verbatim.independence import Independence
from regrapht.transform.verbatim.instrument import instrumented
from regrapht.transform.verbatim.scopes import Scopes

SIGNATURE = "void f(int n, int m, const int32_t* a, const int32_t* b, int32_t* out, int32_t* aux)"
"""`a` has numbers from 0 to m - 1, `out` has n elements and `aux` has m of them."""
NOTES = "// init: a = ints(0, m)\n// init: b = ints(0, n)\n"


def require_built_by_nvcc(text: str) -> None:
    """Fails with what nvcc says of a program; skips where there is none."""
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    built = compiles(text, choose_sandbox(), nvcc)
    assert built.content is not None, built.completed.stderr[-2000:]


def array(name: str, shape: str, role: Role, high: Expression) -> Arg:
    init = Init(kind="integers", parameters={"low": 0, "high": high})
    return Arg(
        name=name, kind=ArgKind.ARRAY, dtype=SCALAR_TYPES["int32"], shape=(Expression(shape),), role=role, init=init
    )


def task_of(text: str, **changes: object) -> Task:
    """A task around a file with `f`."""
    return Task(
        id="f",
        title="f",
        description="",
        entry="f",
        reference=Reference(
            source=SourceFile(name="reference.cpp", text=text if text.startswith("// init") else NOTES + text)
        ),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
            Arg(name="m", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
            array("a", "n", Role.IN, Expression("m")),
            array("b", "n", Role.IN, Expression("n")),
            array("out", "n", Role.INOUT, Expression("9")),
            array("aux", "m", Role.INOUT, Expression("9")),
        ),
        check_sizes=({"n": 64, "m": 5}, {"n": 500, "m": 16}),
        tolerance=Tolerance(kind=Compare.EXACT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("n")),
        **changes,
    )


def verdicts(observer: WatchedRuns, before: str, bodies: dict[str, str]) -> dict[str, object]:
    """Name -> what is known of the last outermost loop of a body, or why nothing is; one run for all bodies."""
    blocks = "\n".join(f"{{ // {name}\n{body}\n}}" for name, body in bodies.items())
    task = task_of(f"{before}{SIGNATURE} {{\n{blocks}\n}}\n")
    scopes = Scopes(task.reference.source.text, "f")
    marks = instrumented(scopes, task)
    independence = Independence(scopes=scopes, task=task, marks=marks, observations=observer(task, marks.text))
    found = {}
    outer = scopes.entry.child_by_field_name("body").named_children
    for name, block in zip(bodies, [n for n in outer if n.type == "compound_statement"], strict=True):
        loop = next(n for n in block.named_children if n.type == "for_statement")
        try:
            found[name] = independence.turns(loop)
        except CannotTransform as reason:
            found[name] = str(reason)
    return found


@pytest.fixture(scope="session")
def observer() -> WatchedRuns:
    try:
        return WatchedRuns(choose_sandbox())
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


@pytest.fixture(scope="session")
def function_task():
    return task_of
