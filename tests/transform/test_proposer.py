"""What the proposer makes of each kind of proposal."""

import threading

import pytest

from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.task import Contract, Residency
from regrapht.records.technique import Transition
from regrapht.records.verdict import Level, Status, Verdict
from regrapht.source.program_hash import program_hash
from regrapht.transform.explanation import explain
from regrapht.transform.rules import RULES
from regrapht.transform.rules.decisions import decisions_from_json


def judged(candidate: Candidate, task, status: Status = Status.SKIPPED) -> Judged:
    verdict = Verdict(
        status=status,
        level=Level.SCREEN,
        evaluator="test",
        task_hash=task.content_hash,
        candidate_id=candidate.id,
        reason="",
        no_timing="not_reached",
    )
    return Judged(proposal_id=1, candidate=candidate, verdict=verdict)


def apply(task, parent: Candidate, target: str, attempt: int = 0, source: str = "map_to_threads") -> Proposal:
    return Proposal(
        id=2,
        kind=ProposalKind.APPLY,
        parent=judged(parent, task),
        transition=Transition(source, target),
        attempt=attempt,
    )


@pytest.fixture
def task(read_input):
    return read_input("gemm_strided_ld")


def test_initial_is_the_plain_mapping_then_other_blocks(task):
    proposer = TransformProposer()
    first = proposer.propose(task, Proposal(id=1, kind=ProposalKind.INITIAL))
    second = proposer.propose(task, Proposal(id=2, kind=ProposalKind.INITIAL, attempt=1))
    assert first.source == proposer.plain(task).source
    assert first.techniques == ("map_to_threads",)
    assert first.transition == Transition("init", "map_to_threads")
    assert first.program_hash == program_hash(first.source)
    assert "256>>>" in first.source and "128>>>" in second.source
    assert first.origin.proposer == "transform" and first.parent is None


def test_initial_runs_out_of_settings(task):
    candidate = TransformProposer().propose(task, Proposal(id=1, kind=ProposalKind.INITIAL, attempt=99))
    assert candidate.no_source is NoSource.SKIPPED and "all were tried" in candidate.reason


def test_apply_takes_the_next_parameters_each_attempt_and_then_stops(task):
    proposer = TransformProposer()
    plain = proposer.plain(task)
    first, second = (proposer.propose(task, apply(task, plain, "map_2d", attempt)) for attempt in (0, 1))
    assert first.source != second.source
    assert first.techniques == ("map_to_threads", "map_2d") and first.parent == plain.id
    assert first.transition == Transition("map_to_threads", "map_2d")
    assert [d.technique for d in decisions_from_json(first.origin.decisions)] == ["map_to_threads", "map_2d"]
    assert "dim3(32, 8)" in first.source and "dim3(16, 16)" in second.source
    last = proposer.propose(task, apply(task, plain, "map_2d", 50))
    assert last.no_source is NoSource.SKIPPED and last.techniques == plain.techniques


def test_a_candidate_is_rebuilt_from_its_decisions_by_another_proposer(task):
    plain = TransformProposer().plain(task)
    grid = TransformProposer(seed=5).propose(task, apply(task, plain, "map_2d"))
    tiled = TransformProposer().propose(task, apply(task, grid, "shared_memory_tiling", source="map_2d"))
    again = TransformProposer(seed=9).propose(task, apply(task, grid, "shared_memory_tiling", source="map_2d"))
    assert tiled.source == again.source and "__shared__ __align__(16) float" in tiled.source


def test_a_rule_that_does_not_apply_says_why(task):
    proposer = TransformProposer()
    candidate = proposer.propose(task, apply(task, proposer.plain(task), "shared_memory_histogram"))
    assert candidate.no_source is NoSource.SKIPPED
    assert candidate.reason.startswith("shared_memory_histogram does not apply: nest 1 (line 7): ")


def test_a_rule_brings_along_those_it_needs(task):
    proposer = TransformProposer()
    candidate = proposer.propose(task, apply(task, proposer.plain(task), "register_tiling"))
    assert candidate.techniques == ("map_to_threads", "map_2d", "shared_memory_tiling", "register_tiling")
    assert candidate.transition == Transition("map_to_threads", "register_tiling")


def test_an_unknown_technique_and_a_foreign_parent_are_skipped(task):
    proposer = TransformProposer()
    unknown = proposer.propose(task, apply(task, proposer.plain(task), "tensor_cores"))
    assert "no rule 'tensor_cores'" in unknown.reason
    foreign = Candidate(source="x", program_hash="y", origin=Origin(proposer="language_model", seconds=1.0))
    skipped = proposer.propose(task, apply(task, foreign, "map_2d"))
    assert skipped.no_source is NoSource.SKIPPED and "language_model" in skipped.reason


def test_improve_is_drawn_by_seed(task):
    plain = TransformProposer().plain(task)

    def drawn(seed: int) -> Candidate:
        proposal = Proposal(id=3, kind=ProposalKind.IMPROVE, parent=judged(plain, task), seed=seed)
        return TransformProposer().propose(task, proposal)

    assert drawn(1).source == drawn(1).source
    assert len({drawn(seed).techniques[-1] for seed in range(12)}) > 2


def test_repair_takes_other_parameters_and_then_drops_the_last_decision(task):
    proposer = TransformProposer()
    plain = proposer.plain(task)
    grid = proposer.propose(task, apply(task, plain, "map_2d"))

    def repaired(attempt: int) -> Candidate:
        proposal = Proposal(id=4, kind=ProposalKind.REPAIR, parent=judged(grid, task), attempt=attempt)
        return proposer.propose(task, proposal)

    sources = [repaired(attempt).source for attempt in range(5)]
    assert grid.source not in sources and len(set(sources)) == 5
    assert sources[-1] == plain.source
    assert repaired(5).no_source is NoSource.SKIPPED


def test_applicable_agrees_with_propose(task):
    proposer = TransformProposer()
    plain = proposer.plain(task)
    for rule in RULES:
        applies = proposer.applicable(task, plain, Transition("map_to_threads", rule.slug))
        candidate = proposer.propose(task, apply(task, plain, rule.slug))
        assert applies == (candidate.source is not None), candidate.reason


def test_explain_gives_every_rule_an_answer(task):
    answers = explain(task, decisions_from_json(TransformProposer().plain(task).origin.decisions))
    assert [answer.rule for answer in answers] == [rule.slug for rule in RULES]
    assert all(answer.applies == (answer.why_not is None) for answer in answers)
    assert {answer.rule for answer in answers if answer.applies} >= {"map_2d", "grid_stride_loop", "loop_unrolling"}


def test_threads_may_share_one_proposer(task, read_input):
    proposer, tasks = TransformProposer(), [task, read_input("softmax_rows"), read_input("stencil_27")]
    expected = [TransformProposer().plain(one).source for one in tasks]
    found: list[list[str | None]] = []

    def work() -> None:
        found.append([proposer.plain(one).source for one in tasks])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_host_residency_copies_around_the_kernels(read_input, bench):
    task = read_input("saxpy", contract=Contract(residency=Residency.HOST))
    source = TransformProposer().plain(task).source
    assert source.count("cudaMemcpy(") == 3
    assert bench.differences(task, source) == []
