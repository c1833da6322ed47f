"""The search graph as it was walked: what is counted, and a picture that holds all of it."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import pairwise

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.proposal import Judged
from regrapht.records.run import Budget
from regrapht.records.technique import Transition
from regrapht.records.verdict import Status
from regrapht.report.search_picture import MOST_PROGRAMS, search_picture
from regrapht.report.story import JudgedStep, tell
from regrapht.report.walked_graph import TASK, walked_graph
from regrapht.search import SEARCHES
from regrapht.testing.search_conformance import context, drive, usual_answers
from regrapht.testing.synthetic import synthetic_task, synthetic_verdict


def steps(*told: tuple) -> list[JudgedStep]:
    """Steps in order from (program, technique, parent's number[, gain]); a gain of None is a failure."""
    found = []
    for number, (program, technique, parent, *gain) in enumerate(told, start=1):
        factor = gain[0] if gain else 1.0
        candidate = Candidate(
            source=program,
            program_hash=program,
            origin=Origin(proposer="t", seconds=0.0),
            transition=Transition("init", technique),
        )
        status = Status.PASSED if factor is not None else Status.CRASHED
        judged = Judged(proposal_id=number, candidate=candidate, verdict=synthetic_verdict(status))
        found.append(JudgedStep(number=number, judged=judged, kind="apply", parent_number=parent, gain=factor))
    return found


WALK = steps(
    ("plain", "map", None, 1.0),
    ("tiled", "tile", 1, 2.0),
    ("unrolled", "unroll", 1, 0.5),
    ("both", "unroll", 2, 4.0),
    ("both", "tile", 3, 4.0),
    ("broken", "fuse", 4, None),
    ("mended", "fuse", 6, 5.0),
    ("plain", "undo", 2, 1.0),
)


def test_programs_are_merged_and_visits_go_up_the_first_way():
    graph = walked_graph(WALK, [WALK[0], WALK[1], WALK[3], WALK[6]])
    assert sorted(graph.programs) == [1, 2, 3, 4, 7]
    visits = {(edge.parent, edge.child): edge.visits for edge in graph.edges.values()}
    assert visits == {(TASK, 1): 8, (1, 2): 5, (1, 3): 2, (2, 4): 3, (3, 4): 1, (4, 7): 1}
    assert [(edge.parent, edge.child) for edge in graph.edges.values() if not edge.first] == [(3, 4)]
    assert graph.nothing == {(4, "fuse"): Counter(CRASHED=1), (2, "undo"): Counter(known=1)}
    assert graph.best == {1, 2, 4, 7}


def test_what_was_repaired_hangs_on_the_program_that_the_failure_was_tried_at():
    assert walked_graph(WALK, []).children(4)[0].child == 7


def test_the_picture_is_well_formed_and_holds_every_program_once():
    picture = search_picture(WALK, [WALK[0], WALK[1]])
    tree = ElementTree.fromstring(picture)
    words = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text") if element.text]
    assert [word for word in words if re.match(r"\d+ [a-z]", word)] == [
        "1 map",
        "2 tile",
        "3 unroll",
        "4 unroll",
        "7 fuse",
        "1 failed",
        "1 nothing new",
    ]
    assert picture.count("stroke-dasharray") == 1, "one transposition"
    assert "unroll: 3 visits" in picture


def test_the_way_to_the_best_is_the_topmost_row_and_fits_a_page():
    chain = [("p0", "map", None), ("slow", "tile", 1, 0.5), ("p1", "tile", 1, 2.0), ("p2", "unroll", 3, 3.0)]
    walk = steps(*chain, ("slower", "pad", 3, 0.1), *((f"q{n}", "pad", n, 4.0) for n in range(4, 10)))
    best = [walk[0], walk[2], walk[3]]
    boxes = re.findall(r'<rect x="[\d.]+" y="([\d.]+)"[^>]*stroke="#c2571a"', search_picture(walk, best))
    others = re.findall(r'<rect x="[\d.]+" y="([\d.]+)" width="172"[^>]*stroke="#9db8a7"', search_picture(walk, best))
    assert len(boxes) == 3 and len(set(boxes)) == 1 and all(float(y) >= float(boxes[0]) for y in others)
    wide = ElementTree.fromstring(search_picture(walk, [walk[0], walk[2], walk[3], *walk[5:8]])).attrib
    assert float(wide["width"]) < float(wide["viewBox"].split()[2]), "made smaller, for six columns to fit"


def test_boxes_of_one_column_do_not_overlap():
    for seed in range(3):
        found = SEARCHES.load("mcgs")(context(Budget(candidates=60), seed=seed))
        events = drive(found, usual_answers(seed), seed=seed)
        story = tell(synthetic_task(), found.context.yardstick, events, found.best())
        boxes = re.findall(
            r'<rect x="([\d.]+)" y="([\d.]+)" width="\d+" height="(\d+)"', search_picture(story.steps, story.path)
        )
        by_column: dict[str, list[float]] = {}
        for x, y, _ in boxes:
            by_column.setdefault(x, []).append(float(y))
        assert len(boxes) > 20
        for ys in by_column.values():
            ys.sort()
            assert all(low + float(boxes[0][2]) <= high for low, high in pairwise(ys)), f"seed {seed}"


@pytest.mark.parametrize("name", SEARCHES.builtin)
def test_every_search_can_be_drawn(name):
    found = SEARCHES.load(name)(context(Budget(candidates=15)))
    events = drive(found, usual_answers(1), workers=3)
    story = tell(synthetic_task(), found.context.yardstick, events, found.best())
    picture = search_picture(story.steps, story.path)
    ElementTree.fromstring(picture)
    assert ("<svg" in picture) == any(step.judged.verdict.passed for step in story.steps)


def test_a_large_run_leaves_out_what_was_visited_least_and_says_so():
    many = steps(("plain", "map", None), *((f"p{i}", "tile", 1, 1.0 + i) for i in range(MOST_PROGRAMS + 49)))
    picture = search_picture(many, [many[0], many[-1]])
    assert picture.count("<rect") == MOST_PROGRAMS + 1
    assert "50 programs that were visited least are not drawn" in picture
    assert f"{MOST_PROGRAMS + 50} tile" in picture, "the best stays"


def test_a_long_chain_is_no_trouble():
    chain = steps(("p0", "map", None), *((f"p{i}", "tile", i) for i in range(1, 240)))
    ElementTree.fromstring(search_picture(chain, chain))


def test_names_are_escaped():
    hostile = steps(("a", "</text><script>", None))
    assert "<script>" not in search_picture(hostile, [])
