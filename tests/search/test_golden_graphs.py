"""Edge visits and values of `mcgs` on small graphs with a transposition, cycles and failures, against `golden/brute_force.py`."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.graph.technique_graph import TechniqueGraph
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import ProposalKind
from regrapht.records.run import Budget
from regrapht.records.technique import Area, Technique
from regrapht.records.verdict import Status
from regrapht.search.mcgs import GraphSearch, GraphSearchSettings
from regrapht.search.prior import PriorSettings
from regrapht.testing.search_conformance import context
from regrapht.testing.synthetic import START_COST, synthetic_verdict

FOLDER = Path(__file__).parent / "golden"
GRAPHS = json.loads((FOLDER / "small_graphs.json").read_text())


def test_the_script_gives_the_file():
    done = subprocess.run([sys.executable, FOLDER / "brute_force.py"], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == GRAPHS, done.stderr


def test_the_graphs_hold_what_they_are_for():
    moved = [known for known in GRAPHS.values() if len(known["asked"]) > len(known["values"])]
    assert len(moved) == len(GRAPHS), "every graph has asks that gave no new program"
    targets = [target for known in GRAPHS.values() for steps in known["steps"].values() for target in steps.values()]
    assert None in targets and "plain" in targets


def walk(known: dict) -> tuple[GraphSearch, list[str]]:
    """The search after as many visits as the script made, with what it asked for."""
    slugs = sorted({slug for steps in known["steps"].values() for slug in steps})
    techniques = {s: Technique(slug=s, title=s, area=Area.MEMORY, meaning="m", condition="c") for s in slugs}
    given = replace(
        context(Budget(proposals=1000)),
        graph=TechniqueGraph(techniques=techniques),
        applicable=lambda candidate, t: t.target in known["steps"].get(candidate.source, {}),
    )
    settings = GraphSearchSettings(
        exploration=0.5,
        recoveries=0,
        attempts_scale=0.0,
        correction_rate=0.0,
        enough=None,
        prior=PriorSettings(uniform_share=1.0),
    )
    found, asked = GraphSearch(given, settings), []
    for _ in range(1 + known["visits"]):
        proposal = found.ask()
        target = "plain"
        if proposal.kind is ProposalKind.APPLY:
            before = proposal.parent.candidate.source
            asked.append(f"{before} / {proposal.transition.target}")
            target = known["steps"][before][proposal.transition.target]
        name = target or f"failed {proposal.id}"
        candidate = Candidate(source=name, program_hash=name, origin=Origin(proposer="t", seconds=0.0))
        status = Status.PASSED if target else Status.WRONG_VALUE
        found.tell(proposal, candidate, synthetic_verdict(status, cost=START_COST / 2 ** known["rewards"].get(name, 0)))
    return found, asked


@pytest.mark.parametrize("name", GRAPHS)
def test_asks_visits_and_values_are_those_of_the_definitions(name):
    known = GRAPHS[name]
    found, asked = walk(known)
    assert asked == known["asked"]
    visits = {
        f"{program} / {edge.transition.target}": edge.visits
        for program, node in found._programs.items()
        for edge in node.edges
        if edge.visits
    }
    assert visits == known["edge_visits"]
    assert {program: node.value for program, node in found._programs.items()} == pytest.approx(known["values"])
