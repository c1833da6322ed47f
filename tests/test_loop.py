"""The loop, with a made-up world: budgets, journal, resuming, outages, refusals, interruption, the judgement in full."""

import threading
import time
from dataclasses import replace

import pytest

from regrapht import loop
from regrapht.errors import (
    CannotTransform,
    ConfigError,
    EvaluatorUnavailable,
    ModelRefused,
    ModelUnavailable,
    SchemaError,
)
from regrapht.loop import OptimizeSettings, run_search
from regrapht.records.encoding import from_json, to_json
from regrapht.records.proposal import Judged, ProposalKind
from regrapht.records.run import Abandoned, Asked, Budget
from regrapht.records.verdict import Level, Status
from regrapht.search import SEARCHES
from regrapht.search.budget import Spending
from regrapht.testing.search_conformance import TASK, WORLD, context
from regrapht.testing.synthetic import SyntheticEvaluator, SyntheticProposer

PROPOSER = SyntheticProposer(world=WORLD, seed=5)
EVALUATOR = SyntheticEvaluator(world=WORLD)
QUICK = OptimizeSettings(pause_s=0.001)


class Journal:
    """Events as they would lie in a store; stops the run after so many, as a power cut would."""

    def __init__(self, *, dies_after=None):
        self.events, self._dies_after = [], dies_after

    def append(self, event):
        self.events.append(from_json(type(event), to_json(event)))
        if len(self.events) == self._dies_after:
            raise PowerCut


class PowerCut(Exception):
    pass


class Wrapped:
    """A proposer or an evaluator with a hook before each call."""

    def __init__(self, inner, before):
        self._inner, self._before, self.name = inner, before, inner.name

    def propose(self, task, proposal):
        self._before(proposal)
        return self._inner.propose(task, proposal)

    def evaluate(self, task, candidate, *, level):
        verdict = self._before(candidate, level)
        return verdict or self._inner.evaluate(task, candidate, level=level)


def run(*, search="mcgs", candidates=20, settings=QUICK, proposer=PROPOSER, evaluator=EVALUATOR, **options):
    built = SEARCHES.load(search)(context(Budget(candidates=candidates)))
    return run_search(TASK, search=built, proposer=proposer, evaluator=evaluator, settings=settings, **options)


def judged_count(events):
    spent = Spending()
    return sum(spent.add(event.candidate, event.verdict) for event in events if isinstance(event, Judged))


@pytest.mark.parametrize("search", SEARCHES.builtin)
@pytest.mark.parametrize("workers", [1, 4])
def test_the_budget_is_kept_and_spent(search, workers):
    journal, seen = Journal(), []
    outcome = run(search=search, journal=journal, observer=seen.append, settings=replace(QUICK, workers=workers))
    assert outcome.reason == "finished"
    assert outcome.judged == judged_count(journal.events) <= 20
    if search in ("mcgs", "greedy-chain", "random-walk"):
        assert outcome.judged == 20
    assert seen == journal.events
    asked = [e.proposal.id for e in seen if isinstance(e, Asked)]
    assert asked == list(range(1, len(asked) + 1))
    assert sorted(e.proposal_id for e in seen if isinstance(e, Judged)) == asked


def test_workers_work_at_the_same_time():
    together = threading.Barrier(3, timeout=120)

    def meet(proposal):
        if proposal.parent is not None and proposal.id <= 4:
            together.wait()

    outcome = run(
        search="random-walk",  # `mcgs` has few proposals out at first
        proposer=Wrapped(SyntheticProposer(world=WORLD, failure=0.0), meet),
        settings=replace(QUICK, workers=3),
    )
    assert outcome.reason == "finished"


def test_the_best_is_judged_in_full():
    outcome = run()
    assert [final.verdict.level for final in outcome.finals] == [Level.FULL]
    assert outcome.best == outcome.finals[0] and outcome.best.verdict.passed


def test_when_the_full_judgement_refuses_the_best_the_one_before_is_tried():
    refused = []

    def refuse_first(candidate, level):
        if level is Level.FULL and not refused and candidate.techniques:
            refused.append(candidate)
            return EVALUATOR.verdict(TASK, candidate, level, Status.RACE)
        return None

    outcome = run(evaluator=Wrapped(EVALUATOR, refuse_first))
    assert [final.verdict.passed for final in outcome.finals] == [False, True]
    assert outcome.best.candidate == outcome.finals[1].candidate != refused[0]
    assert outcome.best.verdict.labels == (f"refused_in_full {refused[0].id[:12]} RACE",)


def passed_programs(journal):
    """By cost, the best first."""
    found = {
        event.candidate.program_hash: event
        for event in journal.events
        if isinstance(event, Judged) and event.verdict.passed
    }
    return sorted(found.values(), key=lambda judged: judged.verdict.evidence.modelled_cost)


def refusing(faulty):
    """A judge whose judgement in full refuses these programs."""

    def refuse(candidate, level):
        wrong = level is Level.FULL and candidate.program_hash in faulty
        return EVALUATOR.verdict(TASK, candidate, level, Status.RACE) if wrong else None

    return Wrapped(EVALUATOR, refuse)


def test_all_that_passed_are_finalists_until_one_passes_in_full():
    """Also one that was never the best: the records before it may be wrong."""
    free = Journal()
    run(journal=free)
    by_cost = [judged.candidate.program_hash for judged in passed_programs(free)]
    first = next(
        event.candidate.program_hash for event in free.events if isinstance(event, Judged) and event.verdict.passed
    )
    assert len(by_cost) > 6 and first in by_cost[6:]
    outcome = run(evaluator=refusing(set(by_cost[:5])))
    assert [final.candidate.program_hash for final in outcome.finals] == by_cost[:6]
    assert outcome.best.candidate.program_hash == by_cost[5] and len(outcome.best.verdict.labels) == 5


def test_when_no_finalist_passes_there_is_no_best():
    journal = Journal()
    first = []

    def refuse(candidate, level):
        first.append(candidate.program_hash) if not first and level is Level.FULL else None
        wrong = level is Level.FULL and candidate.program_hash != first[0]
        return EVALUATOR.verdict(TASK, candidate, level, Status.RACE) if wrong else None

    evaluator = Wrapped(EVALUATOR, refuse)
    outcome = run(evaluator=evaluator, journal=journal)
    assert outcome.best.candidate.program_hash == first[0], (
        "the program that all others were built on was judged in full"
    )
    everything = {judged.candidate.program_hash for judged in passed_programs(journal)}
    outcome = run(evaluator=refusing(everything))
    assert outcome.best is None


def test_when_the_time_is_up_so_many_finalists_are_tried_and_no_more():
    journal = Journal()
    run(search="best-of-n", journal=journal, proposer=SyntheticProposer(world=WORLD, failure=0.0))
    given = [event for event in journal.events if isinstance(event, Judged)]
    assert given
    whole = Journal()
    run(journal=whole)
    faulty = {judged.candidate.program_hash for judged in passed_programs(whole)}
    first = next(
        event.candidate.program_hash for event in whole.events if isinstance(event, Judged) and event.verdict.passed
    )
    settings = replace(QUICK, seconds=0.0, finalists=2)
    outcome = run(evaluator=refusing(faulty - {first}), replayed=whole.events, settings=settings)
    assert outcome.best is None and len(outcome.finals) == 2 and outcome.reason == "seconds"


def test_stopping_while_finalists_are_tried_keeps_the_best_as_screened():
    whole, stop = Journal(), threading.Event()
    run(journal=whole)

    def refuse(candidate, level):
        if level is Level.FULL:
            stop.set()
            return EVALUATOR.verdict(TASK, candidate, level, Status.RACE)
        return None

    outcome = run(evaluator=Wrapped(EVALUATOR, refuse), replayed=whole.events, stop=stop)
    assert outcome.reason == "interrupted" and len(outcome.finals) == 1
    assert outcome.best.verdict.labels == ("screened_only",)


@pytest.mark.parametrize(
    "search", ["mcgs", "greedy-chain", "fsr", "random-walk", "mcgs-paper", "mcts-rag", "rethink-mcts"]
)
def test_a_first_program_that_fails_in_full_is_told_as_a_failure(search):
    """Nothing is built on it, and the search has the feedback of the judgement in full."""
    journal, refused = Journal(), []

    def refuse_first(candidate, level):
        if level is Level.FULL and not refused:
            refused.append(candidate.id)
        wrong = level is Level.FULL and candidate.id == refused[0]
        return EVALUATOR.verdict(TASK, candidate, level, Status.RACE) if wrong else None

    outcome = run(
        search=search,
        journal=journal,
        evaluator=Wrapped(EVALUATOR, refuse_first),
        proposer=SyntheticProposer(world=WORLD, failure=0.0, repair=1.0, settings_per_technique=9),
    )
    told = next(event for event in journal.events if isinstance(event, Judged) and event.candidate.id == refused[0])
    assert (told.verdict.status, told.verdict.level) == (Status.RACE, Level.FULL)
    asked = [event.proposal for event in journal.events if isinstance(event, Asked)]
    built = [p for p in asked if p.parent is not None and p.parent.candidate.id == refused[0]]
    assert all(proposal.kind is ProposalKind.REPAIR for proposal in built)
    assert outcome.best is None or outcome.best.candidate.id != refused[0]


@pytest.mark.parametrize("search", ["direct", "best-of-n", "cot", "rag"])
def test_what_nothing_is_built_on_is_only_screened(search):
    levels = []
    run(
        search=search,
        evaluator=Wrapped(EVALUATOR, lambda candidate, level: levels.append(level)),
        proposer=SyntheticProposer(world=WORLD, failure=0.0),
    )
    assert levels.count(Level.FULL) == 1 and levels[-1] is Level.FULL


def test_nothing_passed():
    outcome = run(proposer=SyntheticProposer(world=WORLD, failure=1.0, repair=0.0))
    assert (outcome.best, outcome.finals, outcome.judged) == (None, (), 20)


@pytest.mark.parametrize("search", SEARCHES.builtin)
def test_a_run_cut_off_anywhere_and_resumed_equals_an_uninterrupted_one(search):
    whole = Journal()
    expected = run(search=search, candidates=8, journal=whole)
    for cut in range(1, len(whole.events)):
        first = Journal(dies_after=cut)
        with pytest.raises(PowerCut):
            run(search=search, candidates=8, journal=first)
        rest = Journal()
        outcome = run(search=search, candidates=8, journal=rest, replayed=first.events)
        assert first.events + rest.events == whole.events, f"cut after {cut} events"
        assert outcome == expected


def test_a_run_of_several_workers_is_resumed_with_nothing_recorded_twice():
    settings = replace(QUICK, workers=4)
    for cut in range(3, 40, 6):
        first, rest = Journal(dies_after=cut), Journal()
        with pytest.raises(PowerCut):
            run(journal=first, settings=settings)
        outcome = run(journal=rest, settings=settings, replayed=first.events)
        events = first.events + rest.events
        for kind, number in ((Asked, lambda e: e.proposal.id), (Judged, lambda e: e.proposal_id)):
            ids = [number(event) for event in events if isinstance(event, kind)]
            assert sorted(ids) == list(range(1, len(ids) + 1))
        assert judged_count(events) == outcome.judged == 20


def test_a_finished_run_resumed_asks_for_nothing():
    whole, again = Journal(), Journal()
    expected = run(journal=whole)
    assert run(journal=again, replayed=whole.events) == expected
    assert again.events == []


def test_events_of_another_run_are_refused():
    journal = Journal()
    run(journal=journal)
    with pytest.raises(SchemaError, match="does not ask for proposal"):
        run(search="fsr", replayed=journal.events)
    with pytest.raises(SchemaError, match="not open"):
        run(replayed=[event for event in journal.events if not isinstance(event, Asked)])


def fails(times, error):
    """A hook that fails so often, then never again."""
    left = [times]

    def before(*_):
        if left[0]:
            left[0] -= 1
            raise error

    return before


@pytest.mark.parametrize("side", ["proposer", "evaluator"])
def test_a_short_outage_leaves_no_trace(side):
    expected, journal = Journal(), Journal()
    run(journal=expected)
    error = ModelUnavailable("down") if side == "proposer" else EvaluatorUnavailable("down")
    inner = PROPOSER if side == "proposer" else EVALUATOR
    run(journal=journal, **{side: Wrapped(inner, fails(2, error))})
    assert journal.events == expected.events


def test_a_longer_outage_abandons_the_proposal_and_costs_nothing():
    journal = Journal()
    outcome = run(journal=journal, evaluator=Wrapped(EVALUATOR, fails(4, EvaluatorUnavailable("GPU lost"))))
    assert [e for e in journal.events if isinstance(e, Abandoned)] == [Abandoned(proposal_id=1, reason="GPU lost")]
    assert outcome.judged == judged_count(journal.events) == 20


def test_an_outage_without_end_is_raised_and_the_run_can_be_resumed():
    journal, rest = Journal(), Journal()
    for workers in (1, 3):
        with pytest.raises(ModelUnavailable):
            run(
                journal=journal if workers == 1 else None,
                proposer=Wrapped(PROPOSER, fails(10_000, ModelUnavailable("down"))),
                settings=replace(QUICK, workers=workers),
            )
    assert sum(isinstance(event, Abandoned) for event in journal.events) == QUICK.outages
    outcome = run(journal=rest, replayed=journal.events)
    assert outcome.judged == 20 and outcome.best is not None


def test_a_refusal_ends_the_search_and_keeps_what_was_found():
    def refuse(proposal):
        if proposal.id == 9:
            raise ModelRefused("no quota left")

    journal = Journal()
    outcome = run(journal=journal, proposer=Wrapped(PROPOSER, refuse))
    assert outcome.reason == "refused: no quota left"
    assert outcome.best is not None and outcome.best.verdict.level is Level.FULL
    assert journal.events[-1] == Abandoned(proposal_id=9, reason="no quota left")


def test_a_task_that_cannot_be_transformed_is_the_users_to_mend():
    with pytest.raises(CannotTransform, match="line 3"):
        run(proposer=Wrapped(PROPOSER, fails(1, CannotTransform("a call of unknown effect", line=3))))


def test_stopping_finishes_the_step_in_hand():
    stop, journal = threading.Event(), Journal()

    def press(proposal):
        if proposal.id == 6:
            stop.set()

    outcome = run(journal=journal, proposer=Wrapped(PROPOSER, press), stop=stop)
    assert outcome.reason == "interrupted" and outcome.finals == ()
    assert isinstance(journal.events[-1], Judged) and journal.events[-1].proposal_id == 6
    assert outcome.best.verdict.labels == ("screened_only",)
    rest, whole = Journal(), Journal()
    run(journal=rest, replayed=journal.events)
    run(journal=whole)
    assert journal.events + rest.events == whole.events


def test_stopping_does_not_wait_for_an_outage_to_end():
    stop = threading.Event()

    def press_and_fail(proposal):
        stop.set()
        raise ModelUnavailable("down")

    start = time.monotonic()
    outcome = run(proposer=Wrapped(PROPOSER, press_and_fail), stop=stop, settings=OptimizeSettings(pause_s=3600))
    assert outcome.reason == "interrupted" and time.monotonic() - start < 600


@pytest.mark.parametrize("ending", ["seconds", "interrupted"])
def test_a_model_that_hangs_is_not_waited_for(ending):
    """The test returns while the model still hangs: nothing of it is timed."""
    stop, asked, release, journal = threading.Event(), threading.Event(), threading.Event(), Journal()

    def hang(proposal):
        if proposal.id == 3:
            asked.set()
            if ending == "interrupted":
                stop.set()
            assert release.wait(600)

    limits = replace(QUICK, leave_s=0.05, seconds=0.5 if ending == "seconds" else None)
    try:
        outcome = run(journal=journal, proposer=Wrapped(PROPOSER, hang), stop=stop, settings=limits)
        assert not release.is_set() and outcome.reason == ending
        if asked.is_set() and ending == "seconds":
            assert Abandoned(proposal_id=3, reason="no answer before the time was up") in journal.events
    finally:
        release.set()
    if ending == "interrupted":  # what it left unanswered is served when it goes on
        rest, whole = Journal(), Journal()
        run(journal=rest, replayed=journal.events)
        run(journal=whole)
        assert journal.events + rest.events == whole.events


ENDINGS = ["seconds", "interrupted"]


def ending_run(ending, hangs, *, seconds=0.5, **options):
    """A run whose judge hangs at (candidate, level) where `hangs` says so; ended by its seconds, or by a stop once it hangs.

    The judge still hangs when this returns: nothing of it is timed.
    """
    stop, release, journal = threading.Event(), threading.Event(), Journal()

    def hang(candidate, level):
        if hangs(candidate, level):
            if ending == "interrupted":
                stop.set()
            assert release.wait(600)

    settings = replace(QUICK, leave_s=0.05, seconds=seconds if ending == "seconds" else None)
    try:
        judge = Wrapped(EVALUATOR, hang)
        outcome = run(evaluator=judge, journal=journal, stop=stop, settings=settings, **options)
        assert not release.is_set() and outcome.reason == ending
    finally:
        release.set()
    return outcome, journal


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_judgement_that_hangs_is_not_waited_for(ending):
    outcome, journal = ending_run(ending, lambda candidate, level: level is Level.SCREEN)
    assert outcome.best is None and not [event for event in journal.events if isinstance(event, Judged)]
    abandoned = Abandoned(proposal_id=1, reason="no answer before the time was up")
    assert (abandoned in journal.events) == (ending == "seconds")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("search", ["mcgs", "direct"])  # the first program is judged in full in the search, or after it
def test_what_passed_the_screening_is_kept_where_its_judgement_in_full_hangs(ending, search):
    writer = SyntheticProposer(world=WORLD, failure=0.0)
    outcome, journal = ending_run(ending, lambda candidate, level: level is Level.FULL, search=search, proposer=writer)
    assert "screened_only" in outcome.best.verdict.labels and outcome.finals == ()
    told = [event for event in journal.events if isinstance(event, Judged) and event.verdict.passed]
    assert outcome.best.candidate.id in {judged.candidate.id for judged in told}
    assert ("no_time_in_full 1" in outcome.best.verdict.labels) == (ending == "seconds")


def test_a_program_that_passed_in_full_comes_before_better_ones_for_which_there_was_no_time():
    whole, first = Journal(), []
    run(journal=whole)

    def hangs(candidate, level):
        if level is Level.FULL:
            first.append(candidate.id)
        return level is Level.FULL and candidate.id != first[0]

    outcome, journal = ending_run("seconds", hangs, seconds=3.0)
    assert outcome.best.candidate.id == first[0] and outcome.best.verdict.level is Level.FULL
    better = len({event.candidate.id for event in passed_programs(journal)}) - 1
    assert better and outcome.best.verdict.labels == (f"no_time_in_full {better}",)


def test_a_refusal_does_not_wait_beyond_the_time_for_what_is_in_hand():
    release = threading.Event()

    def refuse_or_hang(proposal):
        if proposal.id == 2:
            raise ModelRefused("no quota left")
        assert proposal.id == 1 or release.wait(600)

    settings = replace(QUICK, workers=3, leave_s=0.05, seconds=1.0)
    try:
        outcome = run(search="best-of-n", proposer=Wrapped(PROPOSER, refuse_or_hang), settings=settings)
    finally:
        release.set()
    assert outcome.reason == "refused: no quota left"


class Clock:
    """`time.monotonic` and a judge's own duration, by hand."""

    def __init__(self, monkeypatch):
        self.now = 1000.0
        monkeypatch.setattr(loop.time, "monotonic", lambda: self.now)

    def take(self, seconds):
        def before(candidate, level):
            self.now += seconds[level]

        return Wrapped(EVALUATOR, before)


@pytest.mark.parametrize(
    ("in_full_s", "asked_until_s"),
    [
        (10.0, 90.0),
        (40.0, 60.0),
        (80.0, 80.0 + 1.0),
    ],  # the last needs more than half: the first program alone takes that
)
def test_time_for_a_judgement_in_full_is_kept(monkeypatch, in_full_s, asked_until_s):
    clock, journal = Clock(monkeypatch), Journal()
    judge = clock.take({Level.SCREEN: 1.0, Level.FULL: in_full_s})
    asked_at = []
    proposer = Wrapped(SyntheticProposer(world=WORLD, failure=0.0), lambda proposal: asked_at.append(clock.now - 1000))
    outcome = run(
        candidates=500, journal=journal, evaluator=judge, proposer=proposer, settings=replace(QUICK, seconds=100.0)
    )
    assert outcome.reason == "seconds" and outcome.best.verdict.level is Level.FULL
    assert max(asked_at) < asked_until_s
    assert clock.now - 1000 <= asked_until_s + 1.0 + in_full_s


def test_a_remembered_judgement_in_full_says_what_one_takes(monkeypatch):
    clock = Clock(monkeypatch)
    remembered = EVALUATOR.evaluate

    def evaluate(task, candidate, *, level):
        clock.now += 1.0
        return replace(remembered(task, candidate, level=level), seconds=30.0 if level is Level.FULL else 1.0)

    asked_at = []
    proposer = Wrapped(SyntheticProposer(world=WORLD, failure=0.0), lambda proposal: asked_at.append(clock.now - 1000))
    judge = Wrapped(EVALUATOR, lambda *_: None)
    judge.evaluate = evaluate
    run(candidates=500, evaluator=judge, proposer=proposer, settings=replace(QUICK, seconds=100.0))
    assert 60.0 < max(asked_at) < 70.0


def test_no_time_left():
    outcome = run(settings=replace(QUICK, seconds=0.0))
    assert (outcome.reason, outcome.judged, outcome.best) == ("seconds", 0, None)


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(ConfigError, match="at least 1"):
        OptimizeSettings(workers=0)
