"""The comparison with pragma compilers: annotations fit the references, and what a peer computes is held against one core."""

import dataclasses
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"
sys.path.insert(0, str(PEERS))
SCRIPT = runpy.run_path(str(PEERS / "compare.py"))
PROGRAMS = runpy.run_path(str(PEERS / "programs.py"))
CORES = SCRIPT["PEERS"][1]


@pytest.fixture(scope="module")
def tasks():
    return {task.id: (task, notes) for _, task, notes in SCRIPT["tasks"]([])}


def test_every_annotation_has_its_line(tasks):
    assert len(tasks) >= 20
    for task, notes in tasks.values():
        for style in ("none", "cores", "target", "acc"):
            text = PROGRAMS["annotated"](task, notes, style)
            wanted = 0 if style == "none" else sum(kind != "routine" or style == "acc" for _, kind in notes["pragmas"])
            assert "#include" not in text.partition("declare target")[2], (
                "the library has objects that no device may have"
            )
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


def test_programs_are_carried_to_where_no_compiler_of_theirs_is(tasks, tmp_path, monkeypatch):
    """A peer's program is found by its source, runs without its compiler, and is not taken for another's."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    task, notes = tasks["histogram"]
    sizes = task.check_sizes[-1]
    inputs = SCRIPT["written_inputs"](task, draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=1, index=0))
    source = SCRIPT["program"](task, sizes, notes, "none")
    place = tmp_path / "built"
    place.mkdir()
    assert SCRIPT["build_peer"](CORES, source, place, 100.0) is None
    ready = CORES.ready(tmp_path / "carried", source)
    ready.parent.mkdir(parents=True)
    shutil.copy(place / "peer", ready)
    gone = dataclasses.replace(CORES, command=("regrapht-no-such-compiler",))
    found, outputs = SCRIPT["run_peer"](gone, source, inputs, prebuilt=tmp_path / "carried")
    assert found["status"] == "ran" and outputs
    with pytest.raises(FileNotFoundError):
        SCRIPT["run_peer"](gone, source + "\n// other", inputs, prebuilt=tmp_path / "carried")


def test_a_job_cut_short_goes_on(tasks, tmp_path, monkeypatch, capsys):
    """Nothing begins after the time, and a task of the file is not run again."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    out = tmp_path / "rows.jsonl"
    command = ["compare.py", "--shape", "check", "--out", str(out), "histogram"]
    monkeypatch.setattr(sys, "argv", [*command, "--stop-after", "0"])
    assert SCRIPT["main"]() == 0 and not out.exists()
    assert "the same command goes on" in capsys.readouterr().err
    out.write_text('{"task": "histogram"}\n')
    monkeypatch.setattr(sys, "argv", command)
    assert SCRIPT["main"]() == 0 and out.read_text().count("\n") == 1
