"""The baselines that retrieve by likeness of code, and the tree of thoughts."""

from collections import Counter
from dataclasses import replace

from regrapht.graph.retrieval import similar_steps
from regrapht.graph.technique_graph import TechniqueGraph, text_hash
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.run import Asked, Budget
from regrapht.records.technique import INIT, Exemplar, Transition
from regrapht.records.verdict import Status
from regrapht.search import mcts_rag
from regrapht.search.direct import ChainOfThought
from regrapht.search.mcts_rag import RETRIEVE, THINK, MctsRag, MctsRagSettings
from regrapht.search.rag import RagSettings, RetrievalAugmented
from regrapht.search.rethink_mcts import RIGHT, RethinkSearch, RethinkSettings
from regrapht.testing.search_conformance import GRAPH, context, drive, usual_answers
from regrapht.testing.synthetic import synthetic_verdict

SUM = "float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; out[0] = s;"
SCALE = "for (int i = 0; i < n; i++) y[i] = a * x[i] + b[i] - c[i] / d[i];"


def solved(task: str, reference: str) -> tuple[list[Exemplar], list[str]]:
    """A trajectory of two steps on a task."""
    texts = [reference, f"__global__ void {task}_first() {{}}", f"__global__ void {task}_last() {{ int deep = 1; }}"]
    slugs = sorted(GRAPH.techniques)[:2]
    edges = (Transition(INIT, slugs[0]), Transition(slugs[0], slugs[1]))
    steps = [
        Exemplar(
            transition=edge,
            task_id=task,
            family=task,
            rationale="because",
            detail="so",
            before=text_hash(before),
            after=text_hash(after),
            before_status="PASSED",
            after_status="PASSED",
            speedup=None,
            device=None,
            source="hand",
            licence="Apache-2.0",
            provenance=f"{task}/1",
        )
        for edge, before, after in zip(edges, texts, texts[1:], strict=False)
    ]
    return steps, texts


def library(**tasks: str) -> TechniqueGraph:
    edges, programs = dict.fromkeys(GRAPH.transitions, ()), {}
    for task, reference in tasks.items():
        steps, texts = solved(task, reference)
        for step in steps:
            edges[step.transition] = (*edges.get(step.transition, ()), step)
        programs.update((text_hash(text), text) for text in texts)
    return replace(GRAPH, edges=edges, programs=programs)


def given(reference: str, *, candidates: int = 6, task_id: str = "mine", **tasks: str):
    known = library(**tasks)
    return replace(context(Budget(candidates=candidates)), task_id=task_id, graph=known, reference=reference)


def asked(found, *, serve=None) -> list[Proposal]:
    return [e.proposal for e in drive(found, serve or usual_answers(2)) if isinstance(e, Asked)]


def shown(known: TechniqueGraph, proposal: Proposal) -> list[tuple[str, str]]:
    return [(known.programs[e.before], known.programs[e.after]) for e in proposal.exemplars]


def test_rag_shows_whole_solutions_of_the_most_similar_tasks():
    there = given(SUM, dot=SUM.replace("s +=", "total +="), axpy=SCALE)
    first = asked(RetrievalAugmented(there, RagSettings(shown=1)))[0]
    assert first.kind is ProposalKind.INITIAL
    assert shown(there.graph, first) == [
        (SUM.replace("s +=", "total +="), "__global__ void dot_last() { int deep = 1; }")
    ]


def test_rag_takes_turns_with_what_it_retrieved_and_never_shows_the_task_itself():
    there = given(SUM, task_id="dot", dot=SUM, axpy=SCALE, sum=SUM + " ;")
    seen = [p.exemplars[0].task_id for p in asked(RetrievalAugmented(there, RagSettings(shown=1)))]
    assert seen[:4] == ["sum", "axpy", "sum", "axpy"]
    assert not asked(RetrievalAugmented(given(SUM)))[0].exemplars, "nothing known, nothing shown"


def test_chain_of_thought_asks_as_best_of_n_does():
    proposals = asked(ChainOfThought(context(Budget(candidates=7))))
    assert {p.kind for p in proposals} == {ProposalKind.INITIAL}
    assert [p.attempt for p in proposals] == list(range(len(proposals)))


def tell(found, proposal, status=Status.PASSED, *, cost=1000.0, thought=""):
    origin = Origin(proposer="t", seconds=0.0)
    name = f"program {proposal.id}"
    candidate = Candidate(source=name, program_hash=name, origin=origin, explanation=thought)
    found.tell(proposal, candidate, synthetic_verdict(status, cost=cost))


def test_thoughts_grow_along_the_best_way_and_are_handed_on():
    found = RethinkSearch(context(Budget(candidates=50)), RethinkSettings(width=2))
    floor = found.context.yardstick.floor
    first, second = found.ask(), found.ask()
    assert {first.kind, second.kind} == {ProposalKind.INITIAL} and not first.notes
    tell(found, first, cost=floor, thought="One thread\n a row.")
    tell(found, second, thought="A warp a row.")
    third = found.ask()
    assert (third.kind, third.parent.candidate.source) == (ProposalKind.IMPROVE, "program 1")
    assert third.notes == "1. One thread a row."
    tell(found, third, cost=floor, thought="Tiles.")
    values = {child.judged.candidate.explanation: child.mean for child in found.root.children}
    assert values == {"One thread\n a row.": 1.0, "A warp a row.": RIGHT}


def test_a_failed_thought_is_thought_again_once_in_its_place():
    found = RethinkSearch(context(Budget(candidates=50)), RethinkSettings(width=2))
    tell(found, found.ask(), Status.WRONG_VALUE, thought="wrong idea")
    again = found.ask()
    assert (again.kind, again.parent.candidate.explanation) == (ProposalKind.REPAIR, "wrong idea")
    tell(found, again, Status.BUILD_FAILED, thought="worse idea")
    node = found.root.children[0]
    assert node.is_closed and (node.visits, node.out) == (1, 0) and 0 < node.mean < RIGHT
    mended = found.ask()
    assert mended.kind is ProposalKind.INITIAL and mended.attempt == 1
    tell(found, mended, Status.CRASHED)
    tell(found, found.ask(), thought="better")
    assert found.root.children[1].judged.candidate.explanation == "better"


def test_retrieval_is_an_action_of_the_tree():
    there = given(SUM, candidates=60, dot=SUM, axpy=SCALE)
    found = MctsRag(there)
    proposals = asked(found)
    first, later = proposals[0], [p for p in proposals if p.kind is ProposalKind.IMPROVE]
    assert first.kind is ProposalKind.INITIAL
    assert any(p.exemplars for p in later) and any(not p.exemplars for p in later)
    roots = [p for p in proposals if p.kind is ProposalKind.INITIAL and p.exemplars]
    assert roots and all(e.transition.source == INIT for p in roots for e in p.exemplars)
    assert all(e.transition.source != INIT for p in later for e in p.exemplars)
    assert Counter(child.action for child in found.root.children) == {THINK: 2, RETRIEVE: 2}


def test_each_place_is_retrieved_for_once(monkeypatch):
    looked_for = Counter[str]()

    def counted(known, text, viewer, *, limit):
        looked_for[text] += 1
        return similar_steps(known, text, viewer, limit=limit)

    monkeypatch.setattr(mcts_rag, "similar_steps", counted)
    proposals = asked(MctsRag(given(SUM, candidates=60, dot=SUM, axpy=SCALE)))
    shown_at = Counter(p.parent.candidate.source for p in proposals if p.parent is not None and p.exemplars)
    assert max(shown_at.values()) > 1, "no place was asked twice"
    assert looked_for == dict.fromkeys(shown_at, 1)


def test_a_simulation_goes_on_to_its_depth_and_its_last_value_goes_up():
    found = MctsRag(context(Budget(candidates=60)), MctsRagSettings(depth=3))
    floor, start = found.context.yardstick.floor, found.context.yardstick.start
    for cost in (start, start, floor):
        tell(found, found.ask(), cost=cost)
    assert [(node.visits, node.total) for node in _first_way(found)] == [(1, 1.0)] * 4
    tell(found, found.ask(), Status.WRONG_VALUE)
    assert found.root.visits == 2 and found.root.total < 1.0
    assert found.ask().kind is ProposalKind.INITIAL, "four ways on at the root, two of them tried"


def _first_way(found: MctsRag):
    node = found.root
    yield node
    while node.children and (node := max(node.children, key=lambda child: child.visits)).visits:
        yield node
