import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.candidate import Candidate, NoSource, Origin
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Proposal, ProposalKind, Wait
from regrapht.records.run import Budget
from regrapht.records.verdict import Level, Status
from regrapht.search import SEARCHES
from regrapht.search.backpropagation import Backup, node_value
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.search.selection import FAILURE_COST, edge_value
from regrapht.search.statistics import Node
from regrapht.testing.search_conformance import TASK, WORLD, context, drive, judge, usual_answers
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_verdict,
)

GOLDEN = Path(__file__).parent / "golden" / "mcgs_trace.json"


def program(name: str | None, *techniques: str) -> Candidate:
    origin = Origin(proposer="test", seconds=0.0)
    if name is None:
        return Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.UNPARSABLE, reason="prose")
    return Candidate(source=name, program_hash=name, origin=origin, techniques=techniques)


def search(*, candidates: int = 50, **dials) -> GraphSearch:
    return GraphSearch(context(Budget(candidates=candidates)), GraphSearchSettings(enough=None, **dials))


def tell(found: GraphSearch, proposal, name, status=Status.PASSED, *, cost=1000.0):
    """Answer with a program of that name; its techniques follow from the proposal."""
    before = proposal.parent.candidate.techniques if proposal.parent else ()
    applied = (*before, proposal.transition.target) if proposal.transition else ()
    found.tell(proposal, program(name, *applied), synthetic_verdict(status, cost=cost))


def nodes_of(found: GraphSearch) -> list[Node]:
    return [found.root, *found._programs.values()]


def trace(found: GraphSearch, serve) -> list[str]:
    lines = []
    for event in drive(found, serve):
        if hasattr(event, "proposal"):
            asked = event.proposal
            parent = asked.parent.candidate.id[:6] if asked.parent else "task"
            lines.append(f"{asked.id} {asked.kind} {asked.transition} at {parent}, attempt {asked.attempt}")
        else:
            lines.append(f"{event.proposal_id} {event.verdict.status} {event.candidate.id[:6]}")
    return lines


def test_the_golden_trace():
    """The same asks as when the trace was written. After an intended change: delete the file, run, and read the difference."""
    lines = trace(search(candidates=30), usual_answers(3))
    if not GOLDEN.exists():
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(json.dumps(lines, indent=1) + "\n")
        pytest.fail(f"{GOLDEN.name} was absent and is written now: read it, then run again")
    assert lines == json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("backup", Backup)
@pytest.mark.parametrize("seed", range(8))
def test_the_graph_is_sound_after_any_run(seed, backup):
    found = search(candidates=60, backup=backup, attempts_scale=0.6, patience=8 * (seed // 4))
    drive(found, usual_answers(seed), workers=1 + seed % 4, seed=seed, abandon=0.1)
    nodes = nodes_of(found)
    low, high = min(n.reward for n in nodes), max(n.reward for n in nodes)
    for node in nodes:
        assert node.value == pytest.approx(node_value(node, backup)), f"seed {seed}"
        assert low <= node.value <= high
        assert node.depth <= 14
        for edge in node.edges:
            recovering = [expansion for expansion in found._unfinished if edge in expansion.path]
            assert edge.in_flight == len(recovering), "virtual loss has come back but for visits the budget cut off"
            assert edge.visits + edge.in_flight >= edge.asks >= len(edge.children)
            for child in edge.children:
                assert not child.is_above(node), "a program is its own ancestor"
                assert edge in child.parents
    asks = sum(edge.asks for node in nodes for edge in node.edges)
    assert found.root.edges[0].visits == asks - len(found._unfinished)


def test_two_ways_to_one_program_are_one_node_and_cost_one_candidate():
    found = search(attempts_scale=0, candidates=60, exploration=0.5)
    tell(found, found.ask(), "plain")
    names = {}
    while len(found._programs) < 40:
        proposal = found.ask()
        applied = frozenset((*proposal.parent.candidate.techniques, proposal.transition.target))
        tell(found, proposal, names.setdefault(applied, "+".join(sorted(applied))), cost=1000 - 50 * len(applied))
    shared = [node for node in found._programs.values() if len({id(edge.source) for edge in node.parents}) > 1]
    assert shared, "no transposition was met"
    assert found._meter.spent.candidates == len(found._programs) < found._meter.spent.proposals


def test_a_technique_that_changes_nothing_is_left_for_good_after_two_visits():
    found = search()
    tell(found, found.ask(), "plain")
    asked = []
    while isinstance(proposal := found.ask(), Proposal) and len(asked) < 60:
        asked.append(proposal)
        tell(found, proposal, "plain")
    applied = [p.transition for p in asked if p.kind is ProposalKind.APPLY]
    assert applied and max(applied.count(t) for t in applied) == 2
    assert len(found._programs) == 1


def test_an_untried_technique_is_valued_at_its_parents_reward_and_failures_take_a_little():
    found = search(recoveries=0)
    tell(found, found.ask(), "plain", cost=500)
    proposal = found.ask()
    edge = next(e for e in found.root.edges[0].children[0].edges if e.transition == proposal.transition)
    assert edge_value(edge) == pytest.approx(1), "out: nothing bad is known yet"
    tell(found, proposal, "broken", Status.CRASHED)
    assert edge.failures == 1 and edge_value(edge) == pytest.approx(1 - FAILURE_COST)


def test_a_failure_that_feedback_points_at_is_repaired_twice_and_then_asked_anew():
    found = search()
    tell(found, found.ask(), "plain")
    first = found.ask()
    tell(found, first, "broken-0", Status.BUILD_FAILED)
    asked = []
    for i in range(3):
        proposal = found.ask()
        assert proposal.transition == first.transition
        asked.append((proposal.kind, proposal.parent.candidate.source, proposal.attempt))
        told = [judged.candidate.source for judged in proposal.history]
        tell(found, proposal, f"broken-{i + 1}", Status.RACE)
    assert asked == [
        (ProposalKind.REPAIR, "broken-0", 0),
        (ProposalKind.REPAIR, "broken-1", 0),
        (ProposalKind.APPLY, "plain", 1),
    ]
    assert told == ["broken-2"], "who is asked anew is told what failed"
    edge = next(e for e in found.root.edges[0].children[0].edges if e.transition == first.transition)
    assert (edge.visits, edge.failures, edge.in_flight) == (1, 1, 0)
    assert found.ask().transition != first.transition


def test_a_copy_of_what_failed_ends_its_repair_and_is_not_shown_again():
    found = search()
    tell(found, found.ask(), "broken", Status.BUILD_FAILED)
    repair = found.ask()
    tell(found, repair, "other", Status.BUILD_FAILED)
    tell(found, found.ask(), "broken", Status.BUILD_FAILED)
    anew = found.ask()
    assert repair.kind is ProposalKind.REPAIR
    assert (anew.kind, anew.history) == (ProposalKind.INITIAL, ())


def test_a_repair_that_gets_less_far_is_not_gone_on_from():
    found = search()
    tell(found, found.ask(), "plain")
    tell(found, found.ask(), "races", Status.RACE)
    tell(found, found.ask(), "does not build", Status.BUILD_FAILED)
    again = found.ask()
    assert (again.kind, again.parent.candidate.source, again.attempt) == (ProposalKind.REPAIR, "races", 1)
    assert [judged.candidate.source for judged in again.history] == ["does not build"]


def test_a_wrong_result_is_recovered_from_by_the_way_with_the_better_record():
    found = search()
    tell(found, found.ask(), "plain")
    first = found.ask()
    kinds = []
    tell(found, first, "broken-0", Status.WRONG_VALUE)
    for i in range(3):
        proposal = found.ask()
        kinds.append(proposal.kind)
        assert [judged.candidate.source for judged in proposal.history] == [f"broken-{i}"]
        tell(found, proposal, f"broken-{i + 1}", Status.WRONG_VALUE)
    assert kinds == [ProposalKind.APPLY] * 3, "asking anew starts ahead, with the technique's own success"
    tell(found, found.ask(), "broken-4", Status.WRONG_VALUE)
    tell(found, found.ask(), "broken-5", Status.WRONG_VALUE)
    repair = found.ask()
    assert repair.kind is ProposalKind.REPAIR, "asking anew has lost its lead by failing four times"
    assert repair.parent.candidate.source == "broken-5"
    tell(found, repair, "mended", cost=500)
    assert found.best().candidate.source == "mended"


def test_mechanical_repairs_use_up_no_turns():
    found = search()
    tell(found, found.ask(), "plain")
    tell(found, found.ask(), "broken-0", Status.RACE)
    for i in range(2):
        proposal = found.ask()
        assert proposal.kind is ProposalKind.REPAIR
        origin = Origin(proposer="hint", seconds=0.0)
        found.tell(proposal, replace(program(f"hinted-{i}"), origin=origin), synthetic_verdict(Status.RACE))
    kinds = []
    for i in range(3):
        proposal = found.ask()
        kinds.append(proposal.kind)
        tell(found, proposal, f"broken-{i + 1}", Status.RACE)
    assert kinds == [ProposalKind.REPAIR, ProposalKind.REPAIR, ProposalKind.APPLY]


def test_rules_are_recovered_from_by_record_alone():
    """Another setting of a rule is no repair that feedback could guide."""
    found = search()
    tell(found, found.ask(), "plain")
    proposal = found.ask()
    ruled = replace(program("ruled"), origin=Origin(proposer="transform", seconds=0.0, decisions="[]"))
    found.tell(proposal, ruled, synthetic_verdict(Status.RACE))
    assert found.ask().kind is ProposalKind.APPLY


@pytest.mark.parametrize("name", ["mcgs", "greedy-chain", "fsr", "rethink-mcts"])
@pytest.mark.parametrize("repair", [True, False])
def test_without_repair_nothing_is_repaired(name, repair):
    given = replace(context(Budget(candidates=40)), repair=repair)
    serve = SyntheticProposer(world=WORLD, failure=0.9)
    kinds = {
        event.proposal.kind
        for event in drive(SEARCHES.load(name)(given), lambda p: serve.propose(TASK, p))
        if hasattr(event, "proposal")
    }
    assert (ProposalKind.REPAIR in kinds) == repair


def test_a_failure_is_not_recovered_from_where_another_visit_found_something_better_meanwhile():
    found = search(patience=0)
    tell(found, found.ask(), "plain", cost=500)
    failing, worse, better, late = (found.ask() for _ in range(4))
    tell(found, worse, "worse", cost=900)
    tell(found, failing, "broken-0", Status.BUILD_FAILED)
    recovery = found.ask()
    assert recovery.transition == failing.transition, "nothing better is known than when it was asked"
    tell(found, better, "better", cost=250)
    tell(found, recovery, "broken-1", Status.BUILD_FAILED)
    tell(found, late, "broken-2", Status.BUILD_FAILED)
    edges = {edge.transition: edge for edge in found.root.edges[0].children[0].edges}
    for proposal in (failing, late):
        edge = edges[proposal.transition]
        assert (edge.visits, edge.failures, edge.in_flight, edge.is_dead) == (1, 1, 0, False)
    assert found.ask().parent.candidate.source == "better"


@pytest.mark.parametrize("seed", range(4))
def test_one_worker_is_never_overtaken(seed):
    class Watched(GraphSearch):
        def _way_on(self, expansion):
            assert not expansion.is_overtaken, f"seed {seed}"
            seen.append(expansion)
            return super()._way_on(expansion)

    seen = []
    drive(Watched(context(Budget(candidates=60))), usual_answers(seed), seed=seed, abandon=0.1)
    assert seen, "nothing failed"


def test_a_reply_without_code_cannot_be_repaired():
    found = search()
    kinds = set()
    for _ in range(12):
        proposal = found.ask()
        kinds.add(proposal.kind)
        found.tell(proposal, program(None), synthetic_verdict(Status.UNPARSABLE))
    assert kinds == {ProposalKind.INITIAL}


def test_a_skipped_first_attempt_takes_the_technique_off_without_a_visit():
    found = search()
    tell(found, found.ask(), "plain")
    proposal = found.ask()
    origin = Origin(proposer="t", seconds=0.0)
    nothing = Candidate(source=None, program_hash=None, origin=origin, no_source=NoSource.SKIPPED, reason="no")
    found.tell(proposal, nothing, synthetic_verdict(Status.SKIPPED))
    edge = next(e for e in found.root.edges[0].children[0].edges if e.transition == proposal.transition)
    assert edge.is_exhausted and edge.is_closed and (edge.visits, edge.failures) == (0, 0)
    assert found.ask().transition != proposal.transition


def test_overlapping_asks_go_to_different_techniques():
    found = search(patience=0)
    tell(found, found.ask(), "plain")
    asked = [found.ask() for _ in range(5)]
    assert len({proposal.transition for proposal in asked}) == 5


def test_abandoning_anything_leaves_the_state_as_before_the_ask():
    for seed in range(6):
        serve, chance = usual_answers(seed), random.Random(seed)
        steady, shaken = search(candidates=25), search(candidates=25)
        while isinstance(proposal := steady.ask(), Proposal):
            taken = shaken.ask()
            while chance.random() < 0.4:
                shaken.abandon(taken)
                taken = shaken.ask()
            assert (taken.kind, taken.transition, taken.attempt) == (
                proposal.kind,
                proposal.transition,
                proposal.attempt,
            )
            judged = judge(proposal, serve(proposal))
            steady.tell(proposal, judged.candidate, judged.verdict)
            shaken.tell(taken, judged.candidate, judged.verdict)
        assert shaken.ask() is None, f"seed {seed}"


def test_depth_is_bounded():
    found = search(depth=3, candidates=40)
    drive(found, lambda proposal: SyntheticProposer(world=WORLD, failure=0.0).propose(TASK, proposal))
    assert max(node.depth for node in nodes_of(found)) == 3


def test_it_stops_near_the_floor_and_waits_for_what_is_out():
    found = GraphSearch(context(Budget(candidates=50)), GraphSearchSettings(enough=0.9, patience=0))
    floor = found.context.yardstick.floor
    tell(found, found.ask(), "plain")
    first, second = found.ask(), found.ask()
    tell(found, first, "fast", cost=floor / 0.95)
    assert found.ask() == Wait()
    tell(found, second, "slow")
    assert found.ask() is None


def test_a_measured_yardstick_without_times_still_prefers_correct_programs():
    measured = Yardstick(scale=Scale.MEASURED_US, start=100.0, floor=1.0, start_name="sequential")
    found = GraphSearch(replace(context(Budget(candidates=15)), yardstick=measured))
    drive(found, usual_answers())
    assert found.best().verdict.passed


def test_what_the_proposer_rules_out_is_never_asked():
    allowed = "technique-03"
    given = replace(context(Budget(candidates=15)), applicable=lambda program, t: t.target == allowed or False)
    asked = [e.proposal for e in drive(GraphSearch(given), usual_answers()) if hasattr(e, "proposal")]
    assert {p.transition.target for p in asked if p.transition} == {allowed}


def mean_gain(name: str, *, seeds: int, candidates: int) -> float:
    total = 0.0
    for seed in range(seeds):
        world = SyntheticWorld.draw(seed // 4)
        task_world = world.varied(-seed - 1)
        given = synthetic_context(
            task_world, synthetic_graph(world, seed=seed // 4), budget=Budget(candidates=candidates), seed=seed
        )
        found = SEARCHES.load(name)(given)
        proposer, evaluator = SyntheticProposer(world=task_world, seed=seed), SyntheticEvaluator(world=task_world)
        while isinstance(proposal := found.ask(), Proposal):
            candidate = proposer.propose(TASK, proposal)
            found.tell(proposal, candidate, evaluator.evaluate(TASK, candidate, level=Level.SCREEN))
        best = found.best()
        total += task_world.gain(frozenset(best.candidate.techniques)) if best else 0.0
    return total / seeds


def test_it_beats_a_random_walk_on_made_up_worlds():
    gains = {name: mean_gain(name, seeds=24, candidates=40) for name in ("mcgs", "random-walk", "best-of-n")}
    assert gains["mcgs"] > gains["random-walk"] + 0.2 > gains["best-of-n"], gains


def test_two_texts_of_one_built_program_are_one_node():
    found = search()
    tell(found, found.ask(), "plain")
    built = []
    for name in ("text", "same code in other words"):
        proposal = found.ask()
        applied = (*proposal.parent.candidate.techniques, proposal.transition.target)
        verdict = replace(synthetic_verdict(Status.PASSED, cost=2000.0), code_hash="one code")
        found.tell(proposal, program(name, *applied), verdict)
        built.append(found._programs[name])
    assert built[0] is built[1] and len(built[0].parents) == 2
