"""Searches over a table: what is recorded is offered, nothing else; spoiled steps fail, and can be mended."""

from dataclasses import replace

import pytest
from study.landscape.replay import TableJudge, TableProposer
from study.landscape.spoil import Fault, Repairs, Spoil
from study.landscape.table import RecordedTable, Values

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.testing.synthetic import START_COST


class Dialogue:
    """Asks and judges, as a search's run does."""

    def __init__(self, table, **chosen):
        self.table = table
        self.proposer = TableProposer(table, seed=chosen.pop("seed", 1), **chosen)
        self.judge = TableJudge(table, self.proposer)
        self.number = 0

    def ask(self, kind, parent=None, technique=None, attempt=0):
        self.number += 1
        transition = Transition("map", technique) if technique else None
        proposal = Proposal(
            id=self.number, kind=kind, parent=parent, transition=transition, attempt=attempt, seed=self.number
        )
        candidate = self.proposer.propose(self.table.task, proposal)
        verdict = self.judge.evaluate(self.table.task, candidate)
        return Judged(proposal_id=self.number, candidate=candidate, verdict=verdict)

    def first(self):
        return self.ask(ProposalKind.INITIAL)

    def apply(self, parent, technique, attempt=0):
        return self.ask(ProposalKind.APPLY, parent, technique, attempt)

    def repair(self, parent, attempt=0):
        return self.ask(ProposalKind.REPAIR, parent, attempt=attempt)


def test_recorded_transitions_lead_to_recorded_programs(table):
    talk = Dialogue(table)
    first = talk.first()
    assert first.verdict.passed and first.candidate.techniques == ("map",) and table.values is Values.MODELLED
    tiled, unrolled = talk.apply(first, "tile"), talk.apply(first, "unroll")
    both, both_again = talk.apply(tiled, "unroll"), talk.apply(unrolled, "tile")
    assert both.candidate.program_hash == both_again.candidate.program_hash == "hash-3"
    assert both.candidate.techniques == ("map", "tile", "unroll")
    assert both_again.candidate.techniques == (
        "map",
        "unroll",
        "pad",
        "tile",
    )  # what the engine had to apply came along
    assert both.verdict.candidate_id == both.candidate.id and both.candidate.parent == tiled.candidate.id
    assert [table.gain(f"hash-{n}") for n in range(4)] == [0.0, 1.0, -1.0, 3.0] and table.best_gain == 3.0


def test_gains_are_over_the_first_program_wherever_the_yardstick_starts(landscape, graph):
    """Measured landscapes start at sequential time, which the first program has left far behind."""
    sequential = replace(landscape.yardstick, start=64 * START_COST)
    table = RecordedTable(replace(landscape, yardstick=sequential), graph)
    assert [table.gain(f"hash-{n}") for n in range(4)] == [0.0, 1.0, -1.0, 3.0] and table.best_gain == 3.0


def test_attempts_are_settings_and_come_to_an_end(table):
    talk = Dialogue(table)
    first = talk.first()
    assert [talk.apply(first, "tile", attempt).candidate.program_hash for attempt in (0, 1)] == ["hash-1", "hash-4"]
    used_up = talk.apply(first, "tile", 2)
    assert used_up.candidate.source is None and used_up.verdict.status is Status.SKIPPED


def test_a_program_that_failed_when_recorded_fails(table):
    talk = Dialogue(table)
    wrong = talk.apply(talk.apply(talk.first(), "unroll"), "pad")
    assert wrong.verdict.status is Status.WRONG_VALUE and table.gain("hash-5") is None
    assert talk.repair(wrong).verdict.status is Status.SKIPPED


def test_what_is_not_recorded_is_an_error_and_never_a_verdict(table):
    talk = Dialogue(table)
    first = talk.first()
    offered = {
        slug: talk.proposer.applicable(table.task, first.candidate, Transition("map", slug))
        for slug in table.graph.techniques
    }
    assert offered == {"tile": True, "unroll": True, "pad": False, "map": False, "elsewhere": False}
    for technique in ("pad", "elsewhere", "no such technique"):
        with pytest.raises(ConfigError, match="no transition to"):
            talk.apply(first, technique)
    with pytest.raises(ConfigError, match="kind tune"):
        talk.ask(ProposalKind.TUNE, first)
    foreign = Candidate(source="int foreign;", program_hash="foreign", origin=Origin(proposer="p", seconds=0.0))
    with pytest.raises(EvaluatorUnavailable, match="no verdict"):
        talk.judge.evaluate(table.task, foreign)


def test_techniques_that_the_graph_does_not_know_are_not_offered(landscape, graph):
    smaller = replace(graph, techniques={slug: t for slug, t in graph.techniques.items() if slug != "tile"})
    assert RecordedTable(landscape, smaller).techniques("hash-0") == ("unroll",)


def test_unguided_answers_stay_within_the_table(table):
    talk = Dialogue(table)
    first = talk.first()
    lengths = set()
    for attempt in range(1, 30):
        for judged in (
            talk.ask(ProposalKind.INITIAL, attempt=attempt),
            talk.ask(ProposalKind.IMPROVE, first, attempt=attempt),
        ):
            assert judged.candidate.program_hash in {f"hash-{n}" for n in range(6)}
            lengths.add(len(judged.candidate.techniques))
    assert max(lengths) >= 3  # several techniques at once
    end = talk.apply(talk.apply(first, "tile"), "unroll")
    again = [
        talk.ask(ProposalKind.IMPROVE, end, attempt=n).candidate for n in range(20)
    ]  # nothing leads on: from the first one
    assert all(c.source is not None and c.parent is None and c.techniques.count("map") == 1 for c in again)
    literal = Dialogue(table, leaps=False)
    assert literal.ask(ProposalKind.INITIAL, attempt=1).verdict.status is Status.SKIPPED
    steps = [literal.ask(ProposalKind.IMPROVE, first, attempt=n).candidate.program_hash for n in range(20)]
    assert set(steps) <= {"hash-1", "hash-2", "hash-4"}  # one technique at a time


def test_nothing_fails_without_spoil_and_the_share_fails_with_it(table):
    for share in (0.0, 0.3, 0.6):
        failed = []
        for seed in range(400):
            talk = Dialogue(table, seed=seed, spoil=Spoil(share=share, seed=seed, task=table.name))
            failed.append(not talk.apply(talk.first(), "tile").verdict.passed)
        assert abs(sum(failed) / len(failed) - share) < 0.08


def spoiled(table, fault, **repairs):
    """A dialogue in which tiling the first program failed this way, and that failure."""
    for seed in range(200):
        talk = Dialogue(
            table, seed=seed, spoil=Spoil(share=0.6, seed=seed, task=table.name, repairs=Repairs(**repairs))
        )
        broken = talk.apply(talk.first(), "tile")
        if broken.verdict.status is {Fault.BUILD: Status.BUILD_FAILED, Fault.WRONG: Status.WRONG_VALUE}[fault]:
            return talk, broken
    raise AssertionError("no seed spoils the step")


@pytest.mark.parametrize("fault", list(Fault))
def test_a_failure_is_mended_to_the_program_it_was_to_be(table, fault):
    talk, broken = spoiled(table, fault, hopeless=0.0, build=1.0, wrong=1.0)
    assert broken.candidate.source.startswith("#error") and "spoiled_step" in broken.verdict.labels
    mended = talk.repair(broken)
    assert mended.verdict.passed and mended.candidate.program_hash == "hash-1"
    assert mended.candidate.techniques == ("map", "tile")


def test_a_hopeless_failure_stays_and_goes_on_into_what_is_built_on_it(table):
    talk, broken = spoiled(table, Fault.WRONG, hopeless=1.0, wrong=1.0)
    assert all(not talk.repair(broken, attempt).verdict.passed for attempt in range(20))
    assert talk.apply(broken, "unroll").verdict.status is Status.WRONG_VALUE


def test_a_failed_attempt_uses_up_no_setting(table):
    complete = 0
    for seed in range(50):
        talk = Dialogue(table, seed=seed, spoil=Spoil(share=0.5, seed=seed, task=table.name))
        first = talk.first()
        answers = [talk.apply(first, "tile", attempt) for attempt in range(30)]
        passed = [judged.candidate.program_hash for judged in answers if judged.verdict.passed]
        assert passed == ["hash-1", "hash-4"][: len(passed)], seed
        complete += len(passed) == 2
        assert (answers[-1].verdict.status is Status.SKIPPED) <= (len(passed) == 2), seed
    assert complete >= 40


def test_the_same_request_has_the_same_answer_whatever_was_asked_before(table):
    for seed in range(20):
        one, other = (Dialogue(table, seed=seed, spoil=Spoil(share=0.5, seed=seed, task=table.name)) for _ in range(2))
        first = one.first()
        other.apply(other.first(), "unroll")
        other.number = one.number
        assert one.apply(first, "tile").candidate == other.apply(first, "tile").candidate


def test_ways_can_be_kept_apart(table):
    talk = Dialogue(table, merge=False)
    first = talk.first()
    both = talk.apply(talk.apply(first, "tile"), "unroll")
    both_again = talk.apply(talk.apply(first, "unroll"), "tile")
    assert both.candidate.program_hash != both_again.candidate.program_hash
    assert talk.proposer.program_of(both.candidate) == talk.proposer.program_of(both_again.candidate) == "hash-3"
    assert both.verdict.evidence == both_again.verdict.evidence and both.verdict.candidate_id == both.candidate.id


def test_families_differ_and_keep_the_share():
    shares = []
    for seed in range(300):
        spoil = Spoil(share=0.3, seed=seed, task="t", families={"a": "memory", "b": "memory", "c": "registers"})
        assert spoil.probability("a") == spoil.probability("b") != spoil.probability("c")
        shares += [spoil.probability("a"), spoil.probability("c")]
    assert abs(sum(shares) / len(shares) - 0.3) < 0.03 and max(shares) > 0.5 and min(shares) < 0.1
    for share in (-0.1, 1.0):
        with pytest.raises(ValueError, match="share of failed steps"):
            Spoil(share=share, seed=0, task="t")
