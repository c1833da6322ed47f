"""Functions of one signature as tasks, and what is seen of their loops."""

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.observation.watched_run import WatchedRuns
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox

SIGNATURE = "void f(int n, int m, const int32_t* a, const int32_t* b, int32_t* out, int32_t* aux)"
"""`a` has numbers from 0 to m - 1, `out` has n elements and `aux` has m of them."""
NOTES = "// init: a = ints(0, m)\n// init: b = ints(0, n)\n"


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


@pytest.fixture(scope="session")
def observer() -> WatchedRuns:
    try:
        return WatchedRuns(choose_sandbox())
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


@pytest.fixture(scope="session")
def function_task():
    return task_of
