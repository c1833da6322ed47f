"""Makes records for the tests of the store, and, run as a program, writes events until it is killed.

Usage: run_writer.py FOLDER [RUN_ID]    prints the run's id, then the sequence number of each event once it is acknowledged
"""

import hashlib
import os
import sys
from pathlib import Path

from regrapht.records.candidate import Candidate, Origin, TokenUsage
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Abandoned, Asked, Budget, RunOptions, RunSettings
from regrapht.records.technique import Exemplar, Transition
from regrapht.records.verdict import CaseResult, Level, Stage, StageName, StageOutcome, Status, Verdict
from regrapht.testing.synthetic import synthetic_task

YARDSTICK = Yardstick(scale=Scale.MODELLED, start=1.5e6, floor=2.25e5, start_name="plain")
EDGE = Transition("init", "map_to_threads")


def settings(seed: int = 1) -> RunSettings:
    return RunSettings(
        options=RunOptions(evaluator="emulated", level=Level.FULL, budget=Budget(candidates=12), seed=seed),
        task=synthetic_task(),
        task_hash="t" * 64,
        path=Path("/somewhere/saxpy"),
        protocol="1",
        device="emulator",
        graph_hash="g" * 64,
        prompts_hash=None,
    )


def source(number: int) -> str:
    return f"// candidate {number} größer\r\n" + "__global__ void kernel(float* y) { y[threadIdx.x] = 0.1f; }\n" * 40


def candidate(number: int) -> Candidate:
    text = source(number)
    usage = TokenUsage(prompt_tokens=10, completion_tokens=20, cost_usd=0.1 + 0.2)
    return Candidate(
        source=text,
        program_hash=hashlib.sha256(text.encode()).hexdigest(),
        origin=Origin(proposer="transform", seconds=0.25, completion=f"reply {number}: ```cuda ...```", usage=usage),
        transition=EDGE,
        techniques=("map_to_threads",),
    )


def verdict(candidate: Candidate) -> Verdict:
    case = CaseResult(
        sizes={"n": 1024},
        family="declared",
        hidden=False,
        output="y",
        norm_error=1e-7,
        norm_bar=1e-5,
        element_error=None,
        mismatches=0,
        passed=True,
    )
    stages = tuple(
        Stage(name=name, outcome=StageOutcome.PASSED, seconds=0.125)
        for name in (StageName.PARSE, StageName.BUILD, StageName.CHECK)
    )
    return Verdict(
        status=Status.PASSED,
        level=Level.SCREEN,
        evaluator="emulated",
        task_hash="t" * 64,
        candidate_id=candidate.id,
        reason="right",
        stages=stages,
        cases=(case,),
        no_timing="no_gpu",
    )


def judged(number: int) -> Judged:
    made = candidate(number)
    return Judged(proposal_id=number, candidate=made, verdict=verdict(made))


def exemplar() -> Exemplar:
    return Exemplar(
        transition=EDGE,
        task_id="axpby",
        family="dense_la",
        rationale="rows are independent",
        detail="one thread a row",
        before="0" * 64,
        after="1" * 64,
        before_status="PASSED",
        after_status="PASSED",
        speedup=None,
        device=None,
        source="hand",
        licence="Apache-2.0",
    )


def asked(number: int, *parents: int) -> Asked:
    """An `Asked` whose first parent is the proposal's parent, all of them its history."""
    if not parents:
        return Asked(proposal=Proposal(id=number, kind=ProposalKind.INITIAL, seed=number))
    return Asked(
        proposal=Proposal(
            id=number,
            kind=ProposalKind.APPLY,
            parent=judged(parents[0]),
            transition=EDGE,
            exemplars=(exemplar(),),
            history=tuple(judged(parent) for parent in parents),
        )
    )


def story(number: int) -> tuple:
    """The events of one proposal: asked, then judged, every fifth abandoned instead."""
    parent = number - 1 if (number - 1) % 5 else number - 2
    question = asked(number) if number == 1 else asked(number, parent)
    return (question, Abandoned(proposal_id=number, reason="no device") if number % 5 == 0 else judged(number))


def main() -> None:
    from regrapht.store.runs import RunStore

    store = RunStore(Path(sys.argv[1]))
    run = store.resume(sys.argv[2]) if len(sys.argv) > 2 else store.create(settings(), YARDSTICK)
    os.write(1, f"{run.id}\n".encode())
    events = store.events(run.id)
    number = 1 + len(events) // 2
    pending = story(number)[len(events) % 2 :]
    while True:
        for event in pending:
            os.write(1, b"%d\n" % store.append(run.id, event))
        number += 1
        pending = story(number)


if __name__ == "__main__":
    main()
