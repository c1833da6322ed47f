"""Tasks that the judge's tests share, built in memory."""

from types import SimpleNamespace

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash


def size(name: str) -> Arg:
    return Arg(name=name, kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"])


def array(name: str, shape: str, role: str, *, dtype: str = "float32", init: Init | None = None, **more: object) -> Arg:
    return Arg(
        name=name,
        kind=ArgKind.ARRAY,
        dtype=SCALAR_TYPES[dtype],
        shape=tuple(Expression(part) for part in shape.split(",")),
        role=Role(role),
        init=init,
        **more,
    )


def make_task(
    entry: str,
    source: str,
    args: tuple[Arg, ...],
    sizes: tuple[dict[str, int], ...],
    *,
    length: str = "1",
    **more: object,
) -> Task:
    exact = more.pop("exact", False)
    deterministic = more.pop("deterministic", True)
    return Task(
        id=entry,
        title=entry,
        description=entry,
        entry=entry,
        reference=Reference(source=SourceFile(name=more.pop("file", "reference.cpp"), text=source)),
        args=args,
        check_sizes=sizes,
        tolerance=Tolerance(
            kind=Compare.EXACT if exact else Compare.FLOAT,
            reduction_length=Expression(length),
            deterministic=deterministic,
        ),
        work=Work(bytes=Expression("8")),
        **more,
    )


SAXPY = "void saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i]; }"
DOT = """float dot(int n, const float* x, const float* y) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}"""
GEMM = """void gemm(int M, int N, int K, const float* A, const float* B, float* C) {
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
            C[i * N + j] = sum;
        }
}"""


@pytest.fixture(scope="session")
def build():
    """The makers above, for tests that need a task of their own."""
    return SimpleNamespace(size=size, array=array, task=make_task)


@pytest.fixture(scope="session")
def candidate():
    """A candidate from its source."""

    def make(source: str) -> Candidate:
        return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))

    return make


@pytest.fixture(scope="session")
def emulated(sandbox, request):
    """With `make test` it draws the same each time, as all there does: what a screening happens to draw decides no test."""
    repeatable = request.config.getoption("--hypothesis-profile") == "repeatable"
    evaluator = EmulatedEvaluator(sandbox, secret=28 if repeatable else None)
    available = evaluator.availability()
    if not available.available:
        pytest.skip(f"the emulator cannot run here: {available.reason}")
    return evaluator


@pytest.fixture(scope="session")
def sandbox():
    return choose_sandbox()


@pytest.fixture(scope="session")
def dot() -> Task:
    args = (size("n"), array("x", "n", "in"), array("y", "n", "in"))
    sizes = ({"n": 1}, {"n": 33}, {"n": 1000})
    return make_task("dot", DOT, args, sizes, length="n", returns=SCALAR_TYPES["float32"], deterministic=False)


@pytest.fixture(scope="session")
def saxpy() -> Task:
    scalar = Arg(name="a", kind=ArgKind.SCALAR, dtype=SCALAR_TYPES["float32"], value=1.5)
    args = (size("n"), scalar, array("x", "n", "in"), array("y", "n", "inout"))
    return make_task("saxpy", SAXPY, args, ({"n": 1}, {"n": 255}, {"n": 1024}))


@pytest.fixture(scope="session")
def gemm() -> Task:
    args = (size("M"), size("N"), size("K"), array("A", "M,K", "in"), array("B", "K,N", "in"), array("C", "M,N", "out"))
    sizes = ({"M": 1, "N": 1, "K": 1}, {"M": 17, "N": 33, "K": 65}, {"M": 64, "N": 64, "K": 64})
    return make_task("gemm", GEMM, args, sizes, length="K")
