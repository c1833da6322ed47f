"""What must hold of every search by name, whatever the world, the proposer's faults, the number of workers and the order of answers."""

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from regrapht.records.proposal import Judged, Proposal, Wait
from regrapht.records.run import Asked, Budget
from regrapht.search import SEARCHES
from regrapht.search.backpropagation import node_value
from regrapht.search.budget import Spending
from regrapht.search.journalled import JournalledSearch
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.search.mcgs_paper import PaperSearch
from regrapht.search.reward import rank
from regrapht.search.tree import TreeNode
from regrapht.testing.search_conformance import TASK, WORLD, drive, judge
from regrapht.testing.synthetic import SyntheticProposer, SyntheticWorld, synthetic_context, synthetic_graph

WORLDS = [SyntheticWorld.draw(n, techniques=6 + 2 * n) for n in range(3)]
"""With no technique that the suite's own world, which judges, does not have."""
KNOWN = [synthetic_graph(world, seed=n, paths=15) for n, world in enumerate(WORLDS)]
DERIVED = {"shuffled-graph", "method-only", "no-prior", "no-repair", "no-hardware", "cot"}
"""Those that only set other dials of another search: in the long suite."""
NAMES = [pytest.param(n, marks=pytest.mark.slow) if n in DERIVED else n for n in SEARCHES.builtin]
GRAPH_SEARCHES = [
    name for name in SEARCHES.builtin if issubclass(SEARCHES.load(name), GraphSearch) and name not in DERIVED
]


@st.composite
def situations(draw):
    """A run: world, faults, budget, workers, order of answers and share of abandoned proposals."""
    return {
        "world": draw(st.integers(0, 2)),
        "seed": draw(st.integers(0, 10_000)),
        "candidates": draw(st.integers(1, 25)),
        "workers": draw(st.integers(1, 9)),
        "abandon": draw(st.sampled_from([0.0, 0.0, 0.2, 0.5])),
        "failure": draw(st.sampled_from([0.0, 0.3, 0.6, 1.0])),
        "unusable": draw(st.sampled_from([0.0, 0.2])),
        "settings_per_technique": draw(st.integers(1, 3)),
        "patience": draw(st.sampled_from([0.0, GraphSearchSettings().patience])),
    }


def context_of(one):
    return synthetic_context(
        WORLDS[one["world"]], KNOWN[one["world"]], budget=Budget(candidates=one["candidates"]), seed=one["seed"]
    )


def search_of(name, one):
    """The search as shipped, but for the graph searches' patience: with it few proposals are out in budgets as small as these."""
    kind = SEARCHES.load(name)
    if issubclass(kind, GraphSearch):
        return kind(context_of(one), GraphSearchSettings(patience=one["patience"]))
    return kind(context_of(one))


def serve_of(one):
    faults = {key: one[key] for key in ("seed", "failure", "unusable", "settings_per_technique")}
    proposer = SyntheticProposer(world=WORLDS[one["world"]], **faults)
    return lambda proposal: proposer.propose(TASK, proposal)


def run(name, one):
    found = search_of(name, one)
    events = drive(found, serve_of(one), workers=one["workers"], seed=one["seed"], abandon=one["abandon"])
    return found, events


def every(count):
    """Examples found anew in each release of hypothesis and not in each run: a failure must come back."""
    return lambda test: seed(20)(settings(max_examples=count, deadline=None, database=None)(test))


@pytest.mark.parametrize("name", NAMES)
class TestEverySearch:
    @every(20)
    @given(one=situations())
    def test_budgets_hold_and_the_best_is_the_best_seen(self, name, one):
        found, events = run(name, one)
        spent, told = Spending(), [event for event in events if isinstance(event, Judged)]
        assert sum(spent.add(event.candidate, event.verdict) for event in told) <= one["candidates"]
        passed = [rank(event, found.context.yardstick) for event in told if event.verdict.passed]
        best = found.best()
        assert (best is None) == (not passed)
        assert best is None or rank(best, found.context.yardstick) == max(passed)
        assert found.ask() is None

    @every(10)
    @given(one=situations())
    def test_the_same_tells_give_the_same_asks(self, name, one):
        assert run(name, one)[1] == run(name, one)[1]

    @every(10)
    @given(one=situations(), cut=st.floats(0, 1))
    def test_a_resumed_run_ends_as_an_uninterrupted_one(self, name, one, cut):
        """At any event; what was out is answered as it would have been, in the same order."""
        one = {**one, "abandon": 0.0}
        whole, events = run(name, one)
        at = round(cut * len(events))
        again = JournalledSearch(search_of(name, one))
        out = {proposal.id: proposal for proposal in again.replay(events[:at])}
        for event in events[at:]:
            if isinstance(event, Asked):
                asked = again.ask()
                assert asked == event.proposal
                out[asked.id] = asked
            else:
                again.tell(out.pop(event.proposal_id), event)
        assert again.ask() is None and not out
        assert again.search.best() == whole.best()

    @every(10)
    @given(one=situations())
    def test_virtual_loss_comes_back(self, name, one):
        """After a run only what the budget cut off in the middle is still out."""
        found, _ = run(name, one)
        assert sum(outs(found)) <= unfinished(found)


def outs(found) -> list[int]:
    """Visits that are out at the root of a search, whatever it is made of."""
    root = getattr(found, "root", None)
    if root is None:
        return []
    if hasattr(root, "out"):
        return [root.out]
    return [edge.in_flight for edge in root.edges]


def unfinished(found) -> int:
    """Visits that a search holds to go on with."""
    held = ("_unfinished", "_interrupted", "_simulations", "_failed", "_idle")
    return sum(len(getattr(found, name, ())) for name in held)


@pytest.mark.parametrize("name", GRAPH_SEARCHES)
@every(10)
@given(one=situations())
def test_the_graph_is_sound(name, one):
    found, _ = run(name, one)
    nodes = [found.root, *found._programs.values()]
    low, high = min(n.reward for n in nodes), max(n.reward for n in nodes)
    for node in nodes:
        assert low <= node.value <= high
        assert node.value == pytest.approx(node_value(node, found.settings.backup))
        for edge in node.edges:
            assert 0 <= edge.in_flight <= len(found._unfinished)
            for child in edge.children:
                assert not child.is_above(node), "a program is its own ancestor"


@every(10)
@given(one=situations())
def test_the_papers_returns_lie_within_the_rewards(one):
    found, events = run("mcgs-paper", one)
    speedups = [2 ** WORLD.gain(frozenset(e.candidate.techniques)) for e in told_passed(events)]
    waiting: list = [found.root]
    assert isinstance(found, PaperSearch)
    while waiting:
        state = waiting.pop()
        waiting += state.successors or ()
        assert -1 <= found._mean(state) <= max([1.0, *speedups]) + 1e-9
        assert state.visits >= sum(below.visits for below in state.successors or ())


@every(10)
@given(one=situations(), name=st.sampled_from(["rethink-mcts", "mcts-rag"]))
def test_a_plain_tree_adds_up(one, name):
    found, _ = run(name, one)
    waiting: list[TreeNode] = [found.root]
    while waiting:
        node = waiting.pop()
        waiting += node.children
        assert -1 <= node.mean <= 1 and node.visits >= sum(child.visits for child in node.children)


def told_passed(events):
    return [event for event in events if isinstance(event, Judged) and event.verdict.passed]


@pytest.mark.parametrize("name", NAMES)
def test_answers_out_of_order_and_an_abandoned_one_leave_nothing_behind(name):
    """Eight workers; the last asked is answered first, and every third is abandoned once before it is served."""
    one = {"world": 2, "seed": 5, "candidates": 24, "failure": 0.3, "unusable": 0.0, "settings_per_technique": 3}
    found, serve = search_of(name, {**one, "patience": 0.0}), serve_of(one)
    out: list[Proposal] = []
    served = 0
    while True:
        proposal = found.ask() if len(out) < 8 else Wait()
        if isinstance(proposal, Proposal):
            out.append(proposal)
            continue
        if proposal is None:
            break
        proposal = out.pop()
        served += 1
        if served % 3 == 0:
            found.abandon(proposal)
            continue
        judged = judge(proposal, serve(proposal))
        found.tell(proposal, judged.candidate, judged.verdict)
    assert not out and found._meter.spent.candidates <= 24
    assert sum(outs(found)) <= unfinished(found)
