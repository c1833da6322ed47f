import math
from dataclasses import replace

import pytest

from regrapht.records.measurement import Scale, ShapeTiming, TimingSamples, Yardstick
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.verdict import Status
from regrapht.search.reward import doublings, rank, reward
from regrapht.testing.synthetic import SyntheticProposer, SyntheticWorld, synthetic_task, synthetic_verdict

MODELLED = Yardstick(scale=Scale.MODELLED, start=1024.0, floor=4.0, start_name="plain")
MEASURED = Yardstick(scale=Scale.MEASURED_US, start=1024.0, floor=4.0, start_name="sequential")


@pytest.mark.parametrize(
    ("cost", "expected"), [(1024, 0.0), (64, 0.5), (4, 1.0), (2, 1.0), (5000, 0.0), (256, 0.25)], ids=str
)
def test_reward_is_the_share_of_the_way_to_the_floor_on_a_log_scale(cost, expected):
    assert reward(synthetic_verdict(Status.PASSED, cost=cost), MODELLED) == pytest.approx(expected)


def test_doublings_know_no_bounds():
    assert doublings(synthetic_verdict(Status.PASSED, cost=2048), MODELLED) == -1
    assert doublings(synthetic_verdict(Status.PASSED, cost=2), MODELLED) == 9
    assert doublings(synthetic_verdict(Status.CRASHED), MODELLED) is None


def test_a_failure_is_worth_how_far_it_got():
    worth = {status: reward(synthetic_verdict(status), MODELLED) for status in Status if status is not Status.PASSED}
    assert all(-1 <= value < 0 for value in worth.values())
    assert (
        worth[Status.UNPARSABLE]
        < worth[Status.BUILD_FAILED]
        < worth[Status.CRASHED]
        == worth[Status.TIMED_OUT]
        < worth[Status.WRONG_VALUE]
        == worth[Status.RACE]
    )


def test_a_modelled_cost_is_no_time():
    passed = synthetic_verdict(Status.PASSED, cost=4)
    assert reward(passed, MEASURED) == 0
    assert doublings(passed, MEASURED) == 0


def test_a_measured_time_earns_its_own_reward():

    shape = ShapeTiming(sizes={"n": 1}, candidate=TimingSamples(samples_us=(64.0,)), baselines={}, ratios=())
    timed = replace(synthetic_verdict(Status.PASSED, cost=4), timing=(shape,), no_timing=None)
    assert reward(timed, MEASURED) == pytest.approx(0.5)
    assert math.isclose(doublings(timed, MEASURED), 4)


def test_a_start_below_the_floor_leaves_a_yes_or_no():
    upside_down = Yardstick(scale=Scale.MODELLED, start=2.0, floor=4.0, start_name="plain")
    assert reward(synthetic_verdict(Status.PASSED, cost=3), upside_down) == 1
    assert reward(synthetic_verdict(Status.PASSED, cost=5), upside_down) == 0


def test_of_equally_fast_programs_the_one_with_fewer_steps_ranks_higher():

    first = SyntheticProposer(world=SyntheticWorld.draw(0), failure=0.0).propose(
        synthetic_task(), Proposal(id=1, kind=ProposalKind.INITIAL)
    )

    longer = replace(first, techniques=("a", "b"))
    fast, slow = (synthetic_verdict(Status.PASSED, cost=cost) for cost in (1.0, 2.0))
    ranked = [
        Judged(proposal_id=1, candidate=longer, verdict=fast),
        Judged(proposal_id=2, candidate=first, verdict=fast),
        Judged(proposal_id=3, candidate=first, verdict=slow),
        Judged(proposal_id=4, candidate=first, verdict=synthetic_verdict(Status.RACE)),
    ]
    order = sorted(ranked, key=lambda judged: rank(judged, MODELLED), reverse=True)
    assert [judged.proposal_id for judged in order] == [2, 1, 3, 4], "both fast ones are beyond the floor"
