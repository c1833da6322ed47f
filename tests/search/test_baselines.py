"""The searches that are controls: direct, best of n, the random walk, the greedy chain."""

from collections import Counter

from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked, Budget
from regrapht.records.technique import INIT
from regrapht.search.direct import BestOfN, DirectSearch
from regrapht.search.greedy_chain import GreedyChain
from regrapht.search.random_walk import RandomWalk
from regrapht.testing.search_conformance import GRAPH, TASK, WORLD, context, drive, usual_answers
from regrapht.testing.synthetic import SyntheticProposer


def always_right(proposal):
    return SyntheticProposer(world=WORLD, failure=0.0).propose(TASK, proposal)


def always_wrong(proposal):
    return SyntheticProposer(world=WORLD, failure=1.0).propose(TASK, proposal)


def asked(events) -> list[Proposal]:
    return [event.proposal for event in events if isinstance(event, Asked)]


def test_direct_asks_once_and_best_of_n_to_the_end_of_the_budget():
    assert len(asked(drive(DirectSearch(context(Budget(candidates=9))), always_wrong))) == 1
    samples = asked(drive(BestOfN(context(Budget(candidates=9))), always_wrong))
    assert [(p.kind, p.attempt) for p in samples] == [(ProposalKind.INITIAL, n) for n in range(9)]
    assert len({p.seed for p in samples}) == 9


def test_a_random_walk_takes_edges_of_the_graph_and_no_others():
    for seed in range(4):
        walk = asked(drive(RandomWalk(context(Budget(candidates=40), seed=seed)), usual_answers(seed)))
        for proposal in walk:
            if proposal.transition is not None:
                techniques = proposal.parent.candidate.techniques
                assert proposal.transition in GRAPH.transitions
                assert proposal.transition.source == (techniques[-1] if techniques else INIT)


def test_a_random_walk_tries_a_step_five_times():
    walk = asked(drive(RandomWalk(context(Budget(candidates=21))), always_wrong))
    assert [p.kind for p in walk] == [ProposalKind.INITIAL] * 21, "no first program, no walk"

    def right_once(proposal):
        serve = always_right if proposal.kind is ProposalKind.INITIAL else _wrong_without_end
        return serve(proposal)

    steps = asked(drive(RandomWalk(context(Budget(candidates=21))), right_once))[1:]
    runs = [steps[i : i + 5] for i in range(0, 20, 5)]
    assert all(len({p.transition for p in run}) == 1 for run in runs), "five attempts at each step"


def _wrong_without_end(proposal):
    return SyntheticProposer(world=WORLD, failure=1.0, settings_per_technique=1000).propose(TASK, proposal)


def test_a_random_walk_goes_on_from_each_correct_program_and_asks_for_one_first_program():
    walk = asked(drive(RandomWalk(context(Budget(candidates=30))), always_right))
    assert Counter(p.kind for p in walk)[ProposalKind.INITIAL] == 1
    assert max(len(p.parent.candidate.techniques) for p in walk[1:]) >= 3


def test_seeds_make_different_walks():
    walks = [
        [p.transition for p in asked(drive(RandomWalk(context(Budget(candidates=20), seed=s)), always_right))]
        for s in (1, 2)
    ]
    assert walks[0] != walks[1]


def test_a_greedy_chain_always_climbs_from_the_best_program_that_has_something_untried():
    events = drive(GreedyChain(context(Budget(candidates=40))), always_right)
    cost: dict[str, float] = {}
    tried: dict[str, set[str]] = {}
    climbs = 0
    for event in events:
        if isinstance(event, Judged):
            cost.setdefault(event.candidate.program_hash, event.verdict.evidence.modelled_cost)
            tried.setdefault(event.candidate.program_hash, set())
        elif event.proposal.transition is not None:
            program, technique = event.proposal.parent.candidate.program_hash, event.proposal.transition.target
            open_programs = [known for known in cost if len(tried[known]) < len(GRAPH.techniques)]
            assert cost[program] == min(cost[known] for known in open_programs)
            assert technique not in tried[program]
            tried[program].add(technique)
            climbs += 1
    assert climbs > 30
