"""What clients get that send nonsense: a typed answer of a few words, nothing judged, nothing read outside, and the next one is served."""

import inspect
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from regrapht.serve.answers import MOST_BYTES
from regrapht.serve.desk import Desk
from regrapht.serve.shelf import MOST_SOURCE_BYTES
from tests.serve.conftest import SAXPY
from tests.serve.test_http_server import server as server

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "matrix_product"
NAMES = ("task", "id", "run", "program", "a", "b")
"""Arguments that name something of the server's."""
TEXTS = ("x" * (10 << 20), "\N{SNOWMAN}" * (MOST_SOURCE_BYTES // 2), " \n", "")
"""10 MB, too many bytes in fewer letters, and nothing."""
NOT_THERE = (
    "nothing",
    "",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    "runs/../../x",
    "a\0b",
    "x" * 100_000,
    "%2e%2e%2f",
    "\N{SNOWMAN}",
    "\udc80",
)


def taking(names):
    """Each tool with one of these arguments, and that argument."""
    for tool in Desk.TOOLS:
        for name in inspect.signature(getattr(Desk, tool)).parameters:
            if name in names:
                yield tool, name


def filled(tool: str, task_name: str, **chosen):
    """Arguments that the tool is content with, and the chosen ones in the place of theirs."""
    usual = {
        "task": task_name,
        "source": "right",
        "a": "right 1",
        "b": "right 2",
        "rule": "map1d",
        "id": "x",
        "run": "x",
        "proposal": 1,
    }
    wanted = inspect.signature(getattr(Desk, tool)).parameters
    needed = {
        name: usual[name] for name, one in wanted.items() if one.default is inspect.Parameter.empty and name != "self"
    }
    return needed | chosen


@pytest.mark.parametrize(("tool", "argument"), list(taking(NAMES)))
def test_what_is_not_there_is_unknown_to_every_tool(desk, judge, tool, argument):
    task = desk.call("create_task", {"source": SAXPY})["task"]
    for name in NOT_THERE:
        answer = desk.call(tool, filled(tool, task, **{argument: name}))
        assert answer["outcome"] == "error" and answer["error"]["kind"] in ("UnknownName", "ConfigError"), (
            name,
            answer,
        )
        assert len(json.dumps(answer).encode()) <= MOST_BYTES and "Traceback" not in json.dumps(answer)
    assert judge.judged == []


@pytest.mark.parametrize(("tool", "argument"), list(taking(("source",))))
def test_sources_of_any_size_are_refused_by_every_tool(desk, judge, tool, argument):
    task = desk.call("create_task", {"source": SAXPY})["task"]
    more = {}
    if "run" in inspect.signature(getattr(Desk, tool)).parameters:
        run = desk.call("start_run", {"task": task})["run"]
        more = {"run": run, "proposal": desk.call("ask", {"run": run})["proposal"]}
    for text in TEXTS:
        answer = desk.call(tool, filled(tool, task, **more, **{argument: text}))
        assert answer["outcome"] == "error" and answer["error"]["kind"] == "ConfigError", (text[:9], answer)
        assert len(json.dumps(answer).encode()) <= MOST_BYTES
    assert judge.judged == []


def test_of_two_who_answer_one_proposal_one_is_taken(desk):
    task = desk.call("create_task", {"source": SAXPY})["task"]
    run = desk.call("start_run", {"task": task})["run"]
    proposal = desk.call("ask", {"run": run})["proposal"]
    answers = []
    begin = threading.Barrier(4)

    def tell(number: int) -> None:
        begin.wait()
        answers.append(desk.call("tell", {"run": run, "proposal": proposal, "source": f"right {number}"}))

    threads = [threading.Thread(target=tell, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    taken = [one for one in answers if one["outcome"] == "passed"]
    refused = [one["error"] for one in answers if one["outcome"] == "error"]
    assert len(taken) == 1 and len(refused) == 3, answers
    assert all(
        one["kind"] == "ConfigError" and ("meanwhile" in one["message"] or "is not open" in one["message"])
        for one in refused
    )
    assert desk.call("budget", {"run": run})["open"] == []


MALFORMED = (
    b"{",
    b"",
    b"null",
    b"[]",
    b"7",
    b"\xff\xfe\x00",
    b"[" * 20_000,
    b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": 1}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}',
    b'{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}',
)


def test_malformed_messages_over_http_are_refused_and_the_next_is_served(server, judge):
    for body in MALFORMED:
        code, answer = server.ask(
            "POST", "/mcp", body, Accept="application/json, text/event-stream", Content_Type="application/json"
        )
        assert 400 <= code < 500, (body[:60], code, answer)
        assert "Traceback" not in json.dumps(answer) and len(json.dumps(answer)) < MOST_BYTES
    task = server.tool("create_task", source=SAXPY)[1]["task"]
    assert server.tool("judge", task=task, source="right")[1]["outcome"] == "passed"
    assert judge.judged == ["right"]


@pytest.mark.slow
def test_malformed_messages_over_stdin_are_passed_over(tmp_path):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    large = {"task": EXAMPLE.name, "source": "x" * (10 << 20)}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "judge", "arguments": large}},
        {"jsonrpc": "2.0", "id": 3, "method": "no/such"},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "nothing", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 5, "method": "tools/list"},
    ]
    lines = [json.dumps(one).encode() for one in messages]
    malformed = [one for one in MALFORMED if b"\n" not in one]
    command = [sys.executable, "-m", "regrapht", "mcp", str(EXAMPLE), "--evaluator", "emulated", "--allow-root"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path
    )
    answers: dict[object, dict] = {}
    try:
        for line in (*malformed, *lines[:3], *malformed, *lines[3:]):
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        while 5 not in answers:
            line = process.stdout.readline()
            assert line, f"ended with {process.poll()} after {sorted(map(str, answers))}"
            said = json.loads(line)
            answers[said.get("id") if not isinstance(said.get("id"), dict) else "odd"] = said
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
    assert {tool["name"] for tool in answers[5]["result"]["tools"]} == set(Desk.TOOLS)
    assert "at most" in json.dumps(answers[2]) and len(json.dumps(answers[2])) < 2 * MOST_BYTES
    assert "error" in answers[3] and ("error" in answers[4] or answers[4]["result"]["isError"])
