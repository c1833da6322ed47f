"""The comparison with pragma compilers: annotations fit the references, and what a peer computes is held against one core."""

import runpy
import shutil
from pathlib import Path

import pytest

from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "peers" / "compare.py"))
CORES = SCRIPT["PEERS"][1]


@pytest.fixture(scope="module")
def tasks():
    return {task.id: (task, notes) for _, task, notes in SCRIPT["tasks"]([])}


def test_every_annotation_has_its_line(tasks):
    assert len(tasks) >= 20
    for task, notes in tasks.values():
        for style in ("none", "cores", "target", "acc"):
            text = SCRIPT["annotated"](task, notes, style)
            wanted = 0 if style == "none" else sum(kind != "routine" or style == "acc" for _, kind in notes["pragmas"])
            assert text.count("#pragma") == wanted + 2 * (style == "target"), f"{task.id} {style}"


def test_who_is_missing_is_named_with_the_reason():
    found = SCRIPT["here"]()
    assert set(found) == {peer.name for peer in SCRIPT["PEERS"]}
    for peer in SCRIPT["PEERS"]:
        if shutil.which(peer.command[0]) is None:
            assert found[peer.name] == f"{peer.command[0]} is not installed"


def test_a_wrong_peer_is_called_wrong(tasks):
    """Without its atomics a histogram on cores may still come out right, so the fault is planted."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    task, notes = tasks["histogram"]
    sizes = task.check_sizes[-1]
    inputs = SCRIPT["written_inputs"](task, draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=1, index=0))
    source = SCRIPT["program"](task, sizes, notes, "cores")
    one, right = SCRIPT["run_peer"](SCRIPT["PEERS"][0], SCRIPT["program"](task, sizes, notes, "none"), inputs)
    two, other = SCRIPT["run_peer"](CORES, source, inputs)
    assert one["status"] == two["status"] == "ran" and SCRIPT["farthest"](task, sizes, right, other) == 0.0
    _, wrong = SCRIPT["run_peer"](CORES, source.replace("+= 1", "+= 2"), inputs)
    assert SCRIPT["farthest"](task, sizes, right, wrong) == float("inf")
    broken, _ = SCRIPT["run_peer"](CORES, source.replace("count[level", "counts[level"), inputs)
    assert broken["status"] == "does not build" and "counts" in broken["said"]
