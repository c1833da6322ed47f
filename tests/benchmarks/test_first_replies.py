"""A model's first replies: asked in both ways, counted, gone on with after a clock."""

import json
import runpy
from pathlib import Path

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "first_replies.py"))
main, table = SCRIPT["main"], SCRIPT["table"]


def rows(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_each_task_is_asked_for_in_both_ways_once_and_what_is_there_is_kept(tmp_path):
    replies, tasks, out = tmp_path / "replies.txt", tmp_path / "tasks.txt", tmp_path / "out.jsonl"
    replies.write_text("=== reply ===\n".join(["I would use one thread for each element.\n"] * 4))
    tasks.write_text("# two of them\nfee_brackets\nstripe_parity\n")
    asked = [f"scripted:{replies}", "--tasks", str(tasks), "--out", str(out)]
    assert main([*asked, "--seconds", "0"]) == 0
    (about,) = rows(out)
    assert (
        about["model"] == asked[0]
        and about["evaluator"] == "emulated"
        and about["date"]
        and about["versions"]["regrapht"]
    )
    assert main(asked) == 0
    made = rows(out)
    assert made[0] == about
    assert [(row["task"], row["way"]) for row in made[1:]] == [
        (task, way) for way in ("mended", "plain") for task in ("fee_brackets", "stripe_parity")
    ]
    assert all(row["status"] == "UNPARSABLE" and not row["has_program"] and row["builds"] is None for row in made[1:])
    assert main([*asked, "--seconds", "0"]) == 0 and rows(out) == made


def test_the_table_counts_programs_builds_and_tasks():
    kinds = [("PASSED", True, True), ("PASSED", True, True), ("WRONG_VALUE", True, True), ("BUILD_FAILED", True, False)]
    own = [
        {"task": "a", "way": "mended", "status": status, "has_program": held, "builds": built}
        for status, held, built in kinds
    ]
    own.append({"task": "b", "way": "plain", "status": "UNPARSABLE", "has_program": False, "builds": None})
    assert table([{"model": "m"}, *own]).splitlines()[2:] == [
        "| mended | 4 | 1 | 4 | 3 | 2 | 1 |",
        "| plain | 1 | 1 | 0 | 0 | 0 | 0 |",
    ]


def test_a_model_that_is_not_there_is_said_in_a_line(tmp_path, capsys):
    assert main([f"gguf:{tmp_path}/none.gguf", "--out", str(tmp_path / "out.jsonl")]) == 1
    assert "cannot read the model" in capsys.readouterr().err
