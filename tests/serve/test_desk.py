"""Every tool, right and wrong, over a judge that takes no time."""

import json

import pytest

from regrapht.serve.answers import MOST_BYTES
from regrapht.serve.desk import Desk


def test_a_task_is_created_described_and_listed(desk, task):
    described = desk.call("describe_task", {"task": task})
    assert described["signature"].startswith('extern "C" void saxpy(')
    assert "reference" in described and desk.call("list_tasks", {})["tasks"] == [task]
    assert (
        desk.call("create_task", {"source": "void saxpy(int n, float a, const float* x, float* y) {}"})["outcome"]
        == "error"
    )


def test_a_refused_program_says_what_to_mend_in_two_kilobytes(desk, task):
    answer = desk.call("judge", {"task": task, "source": "// nothing"})
    assert (answer["outcome"], answer["status"]) == ("refused", "WRONG_VALUE")
    assert len(json.dumps(answer, ensure_ascii=False).encode()) <= MOST_BYTES
    detailed = desk.call("verdict", {"id": answer["id"], "detail": True})
    assert len(detailed["feedback"]) > MOST_BYTES and detailed["verdict"]["status"] == "WRONG_VALUE"
    assert desk.call("explain", {"id": answer["id"]})["stages"][1] == {
        "stage": "check",
        "outcome": "failed",
        "detail": "",
    }


def test_what_is_not_ready_is_pending_and_can_be_asked_for(desk, task, judge):
    answer = desk.call("judge", {"task": task, "source": "slow right", "wait_s": 0})
    assert answer["outcome"] == "pending"
    judge.go_on.set()
    assert desk.call("verdict", {"id": answer["id"]})["outcome"] == "passed"


def test_a_missing_machine_is_not_held_against_the_program(desk, task):
    answer = desk.call("judge", {"task": task, "source": "broken"})
    assert answer["outcome"] == "machine_unavailable" and "status" not in answer


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("judge", {"task": "saxpi", "source": "x"}, "there is no task 'saxpi'"),
        ("judge", {"source": ""}, "the source is empty"),
        ("judge", {"source": "x" * (1 << 21)}, "at most 1048576"),
        ("judge", {}, "either the source or the id"),
        ("judge", {"source": "x", "program": "y"}, "either the source or the id"),
        ("judge", {"source": "x", "wait_s": -1.0}, "give 0 to 600"),
        ("judge", {"source": "\ud800"}, "surrogate"),
        ("verdict", {"id": "0"}, "there is no judgement '0'"),
        ("apply_rule", {"rule": "no_such_rule"}, "no_such_rule"),
        ("apply_rule", {"program": "beef"}, "there is no program 'beef'"),
        ("start_run", {"search": "mcgz"}, "mcgz"),
        ("start_run", {"candidates": 0}, "1 to 10000"),
        ("ask", {"run": "none"}, "there is no run 'none'"),
        ("no_tool", {}, "there is no tool 'no_tool'"),
        ("describe_task", {"task": "../../etc/passwd"}, "there is no task"),
    ],
)
def test_a_mistake_is_one_line(desk, task, tool, arguments, words):
    if tool in ("judge", "apply_rule", "start_run"):
        arguments = {"task": task, **arguments}
    answer = desk.call(tool, arguments)
    assert answer["outcome"] == "error" and words in answer["error"]["message"], answer


def test_the_engine_writes_and_changes_programs_by_id(desk, task):
    plain = desk.call("apply_rule", {"task": task})
    wider = desk.call("apply_rule", {"task": task, "rule": "block:128", "program": plain["program"]})
    assert wider["program"] != plain["program"] and len(wider["techniques"]) == 2
    text = desk.call("apply_rule", {"task": task, "detail": True})["source"]
    assert desk.call("judge", {"task": task, "source": text})["program"] == plain["program"]
    assert desk.call("apply_rule", {"task": task, "rule": "block:128", "program": plain["program"]}) == wider
    written = desk.call("judge", {"task": task, "source": "right by hand"})
    refused = desk.call("apply_rule", {"task": task, "rule": "block:128", "program": written["program"]})
    assert "programs of its own" in refused["error"]["message"]


def test_a_run_is_asked_told_and_resumes_nothing_twice(desk, task, judge):
    run = desk.call("start_run", {"task": task, "candidates": 2})["run"]
    first = desk.call("ask", {"run": run})
    assert first["kind"] == "initial"
    assert desk.call("best", {"run": run})["reason"] == "nothing passed yet"
    told = desk.call("tell", {"run": run, "proposal": first["proposal"], "source": "right 1"})
    assert told["outcome"] == "passed" and told["left"]["candidates"] == 1
    again = desk.call("tell", {"run": run, "proposal": first["proposal"], "source": "right 1"})
    assert "not open" in again["error"]["message"] and judge.judged.count("right 1") == 1
    second = desk.call("ask", {"run": run})
    assert second["kind"] == "apply" and second["source"] == "right 1"
    declined = desk.call("tell", {"run": run, "proposal": second["proposal"]})
    assert declined["left"]["candidates"] == 1
    best = desk.call("best", {"run": run})
    assert best["level"] == "full" and best["source"] == "right 1"


def test_two_programs_are_set_beside_each_other(desk, task):
    ids = [desk.call("judge", {"task": task, "source": text})["program"] for text in ("right a", "wrong b")]
    answer = desk.call("compare", {"task": task, "a": ids[0], "b": ids[1]})
    assert (answer["a"]["outcome"], answer["b"]["outcome"]) == ("passed", "refused") and "a_over_b" not in answer


def test_a_fault_of_ours_ends_one_call(desk, task, judge, monkeypatch):
    monkeypatch.setattr(type(judge), "evaluate", lambda *a, **k: 1 / 0)
    answer = desk.call("judge", {"task": task, "source": "x"})
    assert answer["error"]["kind"] == "internal" and "division" not in json.dumps(answer)
    assert desk.call("list_tasks", {})["count"] == 1


def test_every_tool_has_words_for_an_agent():
    for name in Desk.TOOLS:
        assert len(getattr(Desk, name).__doc__) > 40, name
