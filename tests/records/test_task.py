"""Tasks as records."""

from dataclasses import replace

from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import (
    Arg,
    ArgKind,
    Compare,
    Contract,
    Reference,
    Rounding,
    SourceFile,
    Task,
    Tolerance,
    Work,
)

TASK = Task(
    id="f",
    title="f",
    description="",
    entry="f",
    reference=Reference(source=SourceFile(name="f.cpp", text="void f(int n) {}")),
    args=(Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),),
    check_sizes=({"n": 1},),
    tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
    work=Work(bytes=Expression("1")),
)


def test_a_key_that_came_later_leaves_the_hashes_of_before():
    """Verdicts, times and runs are kept by them."""
    assert TASK.content_hash == "a9a30d5bfe121cd8897cec4e31725a24182aee30c75db5129640e2747ed28a4f"
    separate = replace(TASK, contract=Contract(rounding=Rounding.SEPARATE))
    assert separate.content_hash != TASK.content_hash
