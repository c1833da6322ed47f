import hashlib

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.proposal import Judged
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.technique import Area, Exemplar, Technique, Transition
from regrapht.records.verdict import Level, Status, Verdict

FLOAT, INT = SCALAR_TYPES["float32"], SCALAR_TYPES["int32"]


@pytest.fixture
def task() -> Task:
    array = {"kind": ArgKind.ARRAY, "dtype": FLOAT, "shape": (Expression("n"),)}
    return Task(
        id="scale",
        title="Double a vector",
        description="Each y[i] is a times x[i].",
        entry="scale",
        reference=Reference(
            source=SourceFile(name="reference.cpp", text="void scale(/* the reference */) { for (;;); }")
        ),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=INT),
            Arg(name="a", kind=ArgKind.SCALAR, dtype=FLOAT, value=2.0),
            Arg(name="x", role=Role.IN, init=Init(kind="normal"), **array),
            Arg(name="y", role=Role.OUT, **array),
        ),
        check_sizes=({"n": 1},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8*n")),
    )


def judged(number: int, source: str | None, *, status: Status = Status.BUILD_FAILED, feedback: str = "") -> Judged:
    """An answered proposal that the judge refused."""
    candidate = Candidate(
        source=source,
        program_hash=None if source is None else hashlib.sha256(source.encode()).hexdigest(),
        origin=Origin(proposer="test", seconds=0.0),
        techniques=("map_to_threads",),
        no_source=None if source is not None else "unparsable",
        reason=None if source is not None else "no code",
    )
    verdict = Verdict(
        status=status,
        level=Level.SCREEN,
        evaluator="test",
        task_hash="t",
        candidate_id=candidate.id,
        reason=f"reason {number}",
        feedback=feedback,
        no_timing="not_reached",
    )
    return Judged(proposal_id=number, candidate=candidate, verdict=verdict)


@pytest.fixture
def refused():
    return judged


@pytest.fixture
def technique() -> Technique:
    return Technique(
        slug="tiling",
        title="Shared-memory tiling",
        area=Area.SHARED_MEMORY,
        meaning="Load a tile once and use it often.",
        condition="Neighbouring threads read the same elements.",
    )


@pytest.fixture
def exemplars() -> tuple[tuple[Exemplar, ...], dict[str, str]]:
    """Three exemplars and their programs, each of 400 characters or so."""
    programs: dict[str, str] = {}
    found = []
    for number in range(3):
        texts = [f"// {side} {number}\n" + "int x;\n" * 60 for side in ("before", "after")]
        names = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        programs.update(zip(names, texts, strict=True))
        found.append(
            Exemplar(
                transition=Transition("map_to_threads", "tiling"),
                task_id=f"task_{number}",
                family=None,
                rationale="Reads repeat.",
                detail="A tile of 16 x 16.",
                before=names[0],
                after=names[1],
                before_status="PASSED",
                after_status="PASSED",
                speedup=2.5 if number == 0 else None,
                device="NVIDIA H200" if number == 0 else None,
                source="hand",
                licence="Apache-2.0",
            )
        )
    return tuple(found), programs
