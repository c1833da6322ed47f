"""`regrapht graph`: collecting, building, merging, quarantine and drawing as users type them."""

import json
import shutil
from pathlib import Path

CORPUS = Path(__file__).parents[2] / "trajectories" / "written"
TASK = CORPUS / "reduction" / "dot"
WRITTEN = next(path for path in sorted(TASK.iterdir()) if path.is_dir())


def one_task_corpus(folder):
    target = folder / "written" / "reduction" / "dot"
    target.mkdir(parents=True)
    for file in TASK.iterdir():
        if file.is_file():
            shutil.copy(file, target)
    shutil.copytree(WRITTEN, target / WRITTEN.name)
    return folder / "written"


def test_from_a_corpus_to_a_graph_and_back_out(cli):
    corpus = one_task_corpus(cli.folder)
    built = json.loads(cli("graph", "build", str(corpus), "--out", "g.json", "--json").stdout)
    assert built["verified"] == built["steps"] > 2
    merged = json.loads(cli("graph", "merge", "g.json", "g.json", "--out", "m.json", "--json").stdout)
    assert merged["hash"] == built["hash"]
    shown = cli("graph", "show", "--graph", "g.json", "--svg", "drawn.svg").stdout
    assert "gain" in shown and (cli.folder / "drawn.svg").read_text().startswith("<svg")
    assert cli("graph", "stats", "--graph", "g.json", "--convergence", "c.svg").returncode == 0
    assert "trajectories" in (cli.folder / "c.svg").read_text()

    origin = f"dot/{WRITTEN.name}"
    out = cli("graph", "quarantine", origin, "--graph", "g.json", "--out", "q.json", "--corpus", str(corpus)).stdout
    assert f"taken out: {origin}" in out
    refused = cli("graph", "quarantine", "nothing/here", "--graph", "g.json", "--out", "q2.json")
    assert refused.returncode == 2 and not (cli.folder / "q2.json").exists()
    again = json.loads(cli("graph", "build", str(corpus), "--out", "g2.json", "--json").stdout)
    assert again["quarantined"] == [origin] and again["verified"] == 0


def test_a_folder_of_replies_is_collected_and_judged(cli):
    code = (WRITTEN / sorted(file.name for file in WRITTEN.glob("01_*.cu"))[0]).read_text()
    (cli.folder / "replies").mkdir()
    steps = [{"think": "t", "method": "Map to threads", "detail": "d", "code": code}]
    (cli.folder / "replies" / "dot.json").write_text(json.dumps(steps))
    command = ["graph", "collect", str(TASK), "--out", "col", "--proposer", "folder", "--replies", "replies"]
    command += ["--run", "r1", "--source", "someone", "--evaluator", "emulated", "--level", "screen", "--json"]
    report = json.loads(cli(*command).stdout)
    assert (report["trajectories"], report["passed"]) == (1, 1)
    assert json.loads(cli(*command).stdout) == report  # a second time nothing is left to do
    built = json.loads(cli("graph", "build", "col", "--out", "g.json", "--json").stdout)
    assert (built["by_source"], built["measured"]) == ({"someone": 1}, 0)
    verified = cli("graph", "verify", "col", "--sample", "1", "--evaluator", "emulated", "--level", "screen")
    assert verified.returncode == 0 and "1 judged, 0 on file" in verified.stdout


def test_options_that_contradict_each_other(cli):
    for arguments in (
        ["graph", "collect", str(TASK), "--out", "col", "--proposer", "model"],
        ["graph", "verify", str(CORPUS), "--sample", "3", "--all"],
        ["graph", "quarantine", "a/b"],
        ["graph", "show", "--svg", "picture.png"],
        ["graph", "export", "graph.dot", "--trajectories", "nowhere"],
        ["graph", "merge", "missing.json", "--out", "m.json"],
    ):
        done = cli(*arguments)
        assert done.returncode == 2 and "Traceback" not in done.stderr, arguments
        assert not (cli.folder / "m.json").exists()


def test_a_model_labels_a_corpus_without_seeing_its_labels(cli):
    corpus = one_task_corpus(cli.folder)
    number = len(sorted(WRITTEN.glob("*.cu")))
    (cli.folder / "replies.json").write_text(json.dumps(['{"technique": "map_to_threads"}'] * (number - 1) + ["?"]))
    command = ["graph", "labels", str(corpus), "--model", "scripted:replies.json"]
    found = json.loads(cli(*command, "--json").stdout)
    assert found["steps"] == number and found["answers"] == {"chosen": number - 1, "wrong: no JSON object": 1}
    assert sum(one["steps"] for one in found["confused"]) == number - found["agreed"]
    assert f"{found['agreed']} of {number} steps labelled alike" in cli(*command).stdout
    assert cli("graph", "labels", str(cli.folder), "--model", "scripted:replies.json").returncode == 2


def test_graph_commands(cli):
    assert "shared_memory_tiling" in cli("graph", "show").stdout
    assert "Applies when" in cli("graph", "show", "shared_memory_tiling").stdout
    assert json.loads(cli("graph", "stats", "--json").stdout)
    for suffix in ("dot", "graphml", "json", "svg"):
        assert cli("graph", "export", f"graph.{suffix}").returncode == 0
        assert (cli.folder / f"graph.{suffix}").stat().st_size > 1000
    assert cli("graph", "export", "graph.png").returncode == 2
