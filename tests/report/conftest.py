"""A small finished run: a task, three judged candidates, one of them refused."""

import dataclasses

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.measurement import Environment, Ratio, Scale, ShapeTiming, TimingSamples, Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.technique import Transition
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.report.story import Story, tell

HOSTILE = "</pre><script>alert(1)</script>"


@pytest.fixture
def task() -> Task:
    n, f32 = Expression("n"), SCALAR_TYPES["float32"]
    return Task(
        id="scale",
        title="Scale",
        description="y = a x",
        entry="scale",
        reference=Reference(
            source=SourceFile(name="reference.cpp", text="void scale(int n, float a, const float* x, float* y);")
        ),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=SCALAR_TYPES["int32"]),
            Arg(name="a", kind=ArgKind.SCALAR, dtype=f32, value=1.5),
            Arg(name="x", kind=ArgKind.ARRAY, dtype=f32, shape=(n,), role=Role.IN, init=Init(kind="normal")),
            Arg(name="y", kind=ArgKind.ARRAY, dtype=f32, shape=(n,), role=Role.OUT),
        ),
        check_sizes=({"n": 17},),
        bench_sizes=({"n": 1000},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8*n")),
    )


def environment() -> Environment:
    return Environment(
        device="Test GPU (sm_90)", architecture="sm_90", cpu="test", tools={"nvcc": "13.0"}, clocks={"sm": 1980.0}
    )


def verdict(candidate: Candidate, status: Status, time_us: float | None = None, reason: str = "as told") -> Verdict:
    outcome = StageOutcome.PASSED if status is Status.PASSED else StageOutcome.FAILED
    timing = None
    if time_us is not None:
        timing = (
            ShapeTiming(
                sizes={"n": 1000},
                candidate=TimingSamples(samples_us=(time_us, time_us, time_us)),
                baselines={"sequential": TimingSamples(samples_us=(100.0,))},
                ratios=(Ratio(against="sequential", value=100 / time_us, low=90 / time_us, high=110 / time_us),),
                floor_us=1.0,
            ),
        )
    return Verdict(
        status=status,
        level=Level.FULL,
        evaluator="local_gpu",
        task_hash="t",
        candidate_id=candidate.id,
        reason=reason,
        stages=(
            Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=1.0),
            Stage(name=StageName.CHECK, outcome=outcome, seconds=0.5),
        ),
        cases=(
            CaseResult(
                sizes={"n": 17},
                family="declared",
                hidden=False,
                output="y",
                norm_error=1e-7,
                norm_bar=1e-6,
                element_error=0.1,
                mismatches=0,
                passed=status is Status.PASSED,
            ),
        ),
        timing=timing,
        no_timing=None if timing else "not_reached",
        environment=environment(),
    )


def candidate(text: str, parent: Candidate | None, technique: str) -> Candidate:
    return Candidate(
        source=text,
        program_hash=text,
        origin=Origin(proposer="test", seconds=0.0),
        parent=parent.id if parent else None,
        transition=Transition(parent.techniques[-1] if parent else "init", technique),
        techniques=(*(parent.techniques if parent else ()), technique),
        explanation=f"applied {technique}",
    )


@pytest.fixture
def story(task: Task) -> Story:
    first = candidate(f"// {HOSTILE}\n__global__ void k() {{}}", None, "map_to_threads")
    wrong = candidate("wrong", first, "shared_memory_tiling")
    better = candidate(f"// {HOSTILE}\n__global__ void k2() {{}}", first, "vectorised_access")
    judged = [
        Judged(proposal_id=1, candidate=first, verdict=verdict(first, Status.PASSED, 20.0)),
        Judged(proposal_id=2, candidate=wrong, verdict=verdict(wrong, Status.WRONG_VALUE, reason=HOSTILE)),
        Judged(proposal_id=3, candidate=better, verdict=verdict(better, Status.PASSED, 5.0)),
    ]
    asked = [
        Asked(proposal=Proposal(id=1, kind=ProposalKind.INITIAL)),
        *(
            Asked(proposal=Proposal(id=i, kind=ProposalKind.APPLY, parent=judged[0], transition=j.candidate.transition))
            for i, j in ((2, judged[1]), (3, judged[2]))
        ),
    ]
    events = [event for pair in zip(asked, judged, strict=True) for event in pair]
    yardstick = Yardstick(scale=Scale.MEASURED_US, start=100.0, floor=1.0, start_name="sequential")
    return tell(task, yardstick, events, judged[2])


@pytest.fixture
def nothing_passed(story: Story) -> Story:
    return dataclasses.replace(story, best=None, path=(), steps=(story.steps[1],))
