"""A young graph search has few proposals out, and one worker never waits."""

import math

import pytest

from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.run import Asked, Budget
from regrapht.search.concurrency import supported
from regrapht.search.greedy_chain import GreedyChain
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.testing.search_conformance import context, drive, judge, usual_answers


def opened(kind=GraphSearch, *, budget: Budget, **dials):
    return kind(context(budget), GraphSearchSettings(enough=None, **dials))


@pytest.mark.parametrize(
    ("judged", "candidates", "expected"),
    [
        (0, 50, 1),
        (7, 50, 1),
        (8, 50, 2),
        (49, 50, 7),
        (8, 20, 2),
        (4, 100, 2),
        (2, 200, 2),
        (14, 200, 8),
        (0, 10_000, 1),
    ],
)
def test_it_grows_with_what_was_judged_and_sooner_in_long_budgets(judged, candidates, expected):
    assert supported(judged, candidates=candidates, patience=8) == expected


def test_without_a_number_of_candidates_or_without_patience_nothing_waits():
    assert supported(0, candidates=None, patience=8) == supported(0, candidates=50, patience=0) == math.inf


@pytest.mark.parametrize("kind", [GraphSearch, GreedyChain])
@pytest.mark.parametrize("seed", range(3))
def test_no_more_is_out_than_the_search_supports_and_in_the_end_every_worker_works(kind, seed):
    found, serve = opened(kind, budget=Budget(candidates=60)), usual_answers(seed)
    out: list[Proposal] = []
    most = 0
    while True:
        proposal = found.ask() if len(out) < 6 else Wait()
        if isinstance(proposal, Proposal):
            out.append(proposal)
            spent = found._meter.spent.candidates
            assert len(out) <= supported(spent, candidates=60, patience=found.settings.patience), f"seed {seed}"
            most = max(most, len(out))
            continue
        if proposal is None:
            break
        served = out.pop(0)
        judged = judge(served, serve(served))
        found.tell(served, judged.candidate, judged.verdict)
    assert most == 6 and not out


@pytest.mark.parametrize("seed", range(3))
def test_one_worker_asks_the_same_with_and_without_patience(seed):
    traces = []
    for patience in (0.0, 8.0, 1000.0):
        found = opened(budget=Budget(candidates=40), patience=patience)
        traces.append(drive(found, usual_answers(seed), workers=1, seed=seed))
    assert traces[0] == traces[1] == traces[2]
    assert sum(isinstance(event, Judged) for event in traces[0]) >= 40


def test_an_abandoned_proposal_makes_room_again():
    found = opened(budget=Budget(candidates=50))
    first = found.ask()
    assert isinstance(found.ask(), Wait)
    found.abandon(first)
    assert isinstance(found.ask(), Proposal)


def test_a_budget_in_proposals_alone_keeps_all_workers_busy():
    events = drive(opened(budget=Budget(proposals=30)), usual_answers(1), workers=4, seed=1)
    out = most = 0
    for event in events:
        out += 1 if isinstance(event, Asked) else -1
        most = max(most, out)
    assert most == 4
