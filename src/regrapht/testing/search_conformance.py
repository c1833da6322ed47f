"""What every search promises, as tests to inherit: a subclass has a fixture `make_search` that builds the search from a context.

class TestMySearch(SearchConformance):
    @pytest.fixture
    def make_search(self):
        return MySearch
"""

import random
from collections.abc import Callable
from dataclasses import replace

from regrapht.records.candidate import Candidate, NoSource, Origin, TokenUsage
from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.run import Abandoned, Asked, Budget, Event
from regrapht.records.verdict import Level, Status
from regrapht.search.budget import Spending
from regrapht.search.context import SearchContext
from regrapht.search.journalled import JournalledSearch
from regrapht.search.reward import rank
from regrapht.search.search import Search
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
)

WORLD = SyntheticWorld.draw(7, techniques=10)
GRAPH = synthetic_graph(WORLD, seed=7)
TASK = synthetic_task()
MakeSearch = Callable[[SearchContext], Search]
Serve = Callable[[Proposal], Candidate]


def context(budget: Budget, *, seed: int = 0) -> SearchContext:
    """A context on the suite's own world."""
    return synthetic_context(WORLD, GRAPH, budget=budget, seed=seed)


def usual_answers(seed: int = 0) -> Serve:
    """A proposer that fails, repairs, skips and sometimes answers nothing usable."""
    proposer = SyntheticProposer(world=WORLD, seed=seed, failure=0.4, unusable=0.1, settings_per_technique=2)
    return lambda proposal: proposer.propose(TASK, proposal)


def no_source(why: NoSource) -> Serve:
    """A proposer that never has source."""
    origin = Origin(
        proposer="none", seconds=0.0, usage=TokenUsage(prompt_tokens=90, completion_tokens=10, cost_usd=0.5)
    )
    return lambda proposal: Candidate(source=None, program_hash=None, origin=origin, no_source=why, reason="never")


def judge(proposal: Proposal, candidate: Candidate) -> Judged:
    """The suite's evaluator."""
    verdict = SyntheticEvaluator(world=WORLD).evaluate(TASK, candidate, level=Level.SCREEN)
    return Judged(proposal_id=proposal.id, candidate=candidate, verdict=verdict)


def drive(
    search: Search, serve: Serve, *, workers: int = 1, seed: int = 0, abandon: float = 0.0, asks_again: int = 0
) -> list[Event]:
    """Run a search to its end with up to `workers` proposals out, answered in a random order; a share is abandoned.

    `asks_again`: how often a `Wait` is asked again at once, which must change nothing.
    """
    chance, out, events = random.Random(seed), list[Proposal](), list[Event]()
    while True:
        proposal = search.ask() if len(out) < workers else Wait()
        for _ in range(asks_again if isinstance(proposal, Wait) and len(out) < workers else 0):
            assert search.ask() == Wait(), "the second ask of two in a row knows no more than the first"
        if isinstance(proposal, Proposal):
            events.append(Asked(proposal=proposal))
            out.append(proposal)
            continue
        if proposal is None:
            assert not out, "None is for a search that is finished, while a proposal is still out"
            return events
        assert out, "Wait is only for while a proposal is out"
        proposal = out.pop(chance.randrange(len(out)))
        if chance.random() < abandon:
            search.abandon(proposal)
            events.append(Abandoned(proposal_id=proposal.id, reason="test"))
            continue
        judged = judge(proposal, serve(proposal))
        search.tell(proposal, judged.candidate, judged.verdict)
        events.append(judged)


def judged_count(events: list[Event]) -> int:
    """Candidates that count."""
    spent = Spending()
    return sum(spent.add(event.candidate, event.verdict) for event in events if isinstance(event, Judged))


class SearchConformance:
    """Every search passes these."""

    def test_it_finds_a_correct_program(self, make_search: MakeSearch) -> None:
        search = make_search(context(Budget(candidates=12)))
        drive(search, lambda proposal: SyntheticProposer(world=WORLD, failure=0.0).propose(TASK, proposal))
        best = search.best()
        assert best is not None and best.verdict.status is Status.PASSED

    def test_budgets_are_never_exceeded(self, make_search: MakeSearch) -> None:
        for workers in (1, 4):
            for seed in range(5):
                budget = Budget(candidates=9 + seed)
                events = drive(make_search(context(budget, seed=seed)), usual_answers(seed), workers=workers, seed=seed)
                assert judged_count(events) <= 9 + seed, f"workers {workers}, seed {seed}"
                events = drive(
                    make_search(context(Budget(proposals=7))), usual_answers(seed), workers=workers, seed=seed
                )
                assert sum(isinstance(event, Asked) for event in events) <= 7, f"workers {workers}, seed {seed}"

    def test_tokens_and_money_end_it(self, make_search: MakeSearch) -> None:
        for budget in (Budget(tokens=250, candidates=100), Budget(usd=1.2, candidates=100)):
            events = drive(make_search(context(budget)), no_source(NoSource.UNPARSABLE))
            assert sum(isinstance(event, Judged) for event in events) <= 3

    def test_the_same_tells_give_the_same_asks(self, make_search: MakeSearch) -> None:
        for seed in range(4):
            budget = Budget(candidates=25)
            first, second = (
                drive(make_search(context(budget, seed=seed)), usual_answers(seed), workers=3, seed=seed, abandon=0.1)
                for _ in range(2)
            )
            assert first == second, f"seed {seed}"

    def test_replayed_events_give_the_same_state(self, make_search: MakeSearch) -> None:
        for seed in range(4):
            budget = Budget(candidates=25)
            events = drive(
                make_search(context(budget, seed=seed)), usual_answers(seed), workers=3, seed=seed, abandon=0.1
            )
            cut = random.Random(seed).randrange(len(events))
            again = JournalledSearch(make_search(context(budget, seed=seed)))
            left = {proposal.id for proposal in again.replay(events[:cut])}
            answered = {event.proposal_id for event in events[:cut] if not isinstance(event, Asked)}
            asked = {event.proposal.id for event in events[:cut] if isinstance(event, Asked)}
            assert left == asked - answered
            following = events[cut]
            if isinstance(following, Asked):
                assert again.ask() == following.proposal, f"seed {seed}, cut {cut}"

    def test_an_ask_without_proposal_changes_nothing(self, make_search: MakeSearch) -> None:
        for seed in range(3):
            given = context(Budget(candidates=20), seed=seed)
            calm, hasty = (
                drive(make_search(given), usual_answers(seed), workers=50, seed=seed, asks_again=again)
                for again in (0, 3)
            )
            assert calm == hasty, f"seed {seed}"

    def test_abandoned_proposals_cost_nothing(self, make_search: MakeSearch) -> None:
        search, steady = (make_search(context(Budget(candidates=6))) for _ in range(2))
        for _ in range(30):
            proposal = search.ask()
            assert isinstance(proposal, Proposal)
            search.abandon(proposal)
        right = SyntheticProposer(world=WORLD, failure=0.0)
        events = drive(search, lambda proposal: right.propose(TASK, proposal))
        undisturbed = drive(steady, lambda proposal: right.propose(TASK, proposal))
        first, usual = (next(e.proposal for e in found if isinstance(e, Asked)) for found in (events, undisturbed))
        assert replace(first, id=1, seed=usual.seed) == usual
        assert judged_count(events) > 0

    def test_each_proposal_is_answered_once(self, make_search: MakeSearch) -> None:
        search = make_search(context(Budget(candidates=5)))
        proposal = search.ask()
        assert isinstance(proposal, Proposal)
        judged = judge(proposal, usual_answers()(proposal))
        search.tell(proposal, judged.candidate, judged.verdict)
        for again in (
            lambda: search.tell(proposal, judged.candidate, judged.verdict),
            lambda: search.abandon(proposal),
        ):
            try:
                again()
            except ValueError:
                continue
            raise AssertionError("a second answer was accepted")

    def test_best_is_the_best_told(self, make_search: MakeSearch) -> None:
        given = context(Budget(candidates=25))
        for seed in range(4):
            search = make_search(replace(given, seed=seed))
            events = drive(search, usual_answers(seed), workers=2, seed=seed)
            passed = [event for event in events if isinstance(event, Judged) and event.verdict.passed]
            best = search.best()
            if not passed:
                assert best is None
                continue
            assert best is not None
            assert rank(best, given.yardstick) == max(rank(judged, given.yardstick) for judged in passed)

    def test_it_ends_when_nothing_is_offered(self, make_search: MakeSearch) -> None:
        search = make_search(context(Budget(candidates=10)))
        events = drive(search, no_source(NoSource.SKIPPED), workers=2)
        assert search.best() is None and judged_count(events) == 0

    def test_unusable_answers_use_the_budget_up(self, make_search: MakeSearch) -> None:
        search = make_search(context(Budget(candidates=10)))
        events = drive(search, no_source(NoSource.UNPARSABLE), workers=2)
        assert search.best() is None and 1 <= judged_count(events) <= 10
