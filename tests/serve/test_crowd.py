"""A hundred MCP clients, each with a session of its own over HTTP, at one `regrapht serve`: all answered, in order, none before its turn.

The judge is made up, one worker that waits at a gate: what is tested is everything in front of it, by the real client library.
"""

import json
import os
import subprocess
import sys
import urllib.request
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
CLIENTS, EACH, GREEDY = 100, 3, 40
SOURCE = """void saxpy(int n, float a, const float* x, float* y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
"""
JUDGE = """
import os
import time
from pathlib import Path

from regrapht.evaluate.evaluator import Availability
from tests.serve.conftest import WordJudge

FOLDER = Path(os.environ["CROWD_FOLDER"])


class Judge(WordJudge):
    name = "gated"

    def __init__(self, sandbox):
        super().__init__()

    def availability(self):
        return Availability(available=True)

    def evaluate(self, task, candidate, *, level):
        while not (FOLDER / "open").exists():
            time.sleep(0.01)
        with (FOLDER / "order").open("a") as file:
            file.write(candidate.source.split()[1] + "\\n")
        return super().evaluate(task, candidate, level=level)
"""


@pytest.fixture
def served(tmp_path):
    """The address of a server whose one worker waits until `open` is in the folder."""
    (tmp_path / "gated.py").write_text(JUDGE)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
        "REGRAPHT_HOME": str(tmp_path / "home"),
        "CROWD_FOLDER": str(tmp_path),
    }
    words = ["serve", "--port", "0", "--token", "crowd", "--evaluator", "gated:Judge", "--workers", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "regrapht", *words], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        line = next(line for line in server.stdout if line.startswith("serving "))
        yield line.split()[1].removesuffix("/v1/tools")
        (tmp_path / "open").touch()
        server.terminate()


def waiting(address):
    asked = urllib.request.Request(f"{address}/v1/health", headers={"Authorization": "Bearer crowd"})
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)["waiting"]


@asynccontextmanager
async def session(address, mode):
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers={"Authorization": "Bearer crowd"}, timeout=120) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def call(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    return json.loads(answer.content[0].text)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_hundred_sessions_are_answered_in_turn(served, tmp_path, mode):
    """Client 0 asks for forty judgements before anybody else asks for any; it gets its second when each other one has had a first."""
    answers = {}

    async def talk():
        greedy_asked, all_asked, go_on = anyio.Event(), [0], anyio.Event()

        async def one(number):
            async with session(served, mode) as client:
                task = (await call(client, "create_task", source=SOURCE))["task"]
                if number:
                    await greedy_asked.wait()
                ids = []
                for turn in range(EACH if number else GREEDY):
                    told = await call(client, "judge", task=task, source=f"// {number}.{turn} right", wait_s=0)
                    assert told["outcome"] == "pending", told
                    ids.append(told["id"])
                if not number:
                    greedy_asked.set()
                all_asked[0] += 1
                if all_asked[0] == CLIENTS:
                    go_on.set()
                await go_on.wait()
                answers[number] = [await call(client, "verdict", id=id, wait_s=100) for id in ids]

        async with anyio.create_task_group() as group:
            for number in range(CLIENTS):
                group.start_soon(one, number)
            await go_on.wait()
            assert waiting(served) == EACH * (CLIENTS - 1) + GREEDY - 1
            (tmp_path / "open").touch()

    anyio.run(talk)
    assert {number: len(told) for number, told in answers.items()} == {n: EACH if n else GREEDY for n in range(CLIENTS)}
    assert {one["outcome"] for told in answers.values() for one in told} == {"passed"}
    order = [tuple(map(int, line.split("."))) for line in (tmp_path / "order").read_text().splitlines()]
    assert Counter(order) == Counter((n, turn) for n in range(CLIENTS) for turn in range(EACH if n else GREEDY))
    for number in range(CLIENTS):
        turns = [turn for n, turn in order if n == number]
        assert turns == sorted(turns), f"client {number} out of order: {turns}"
    assert order[0] == (0, 0), "the one that was in hand while the others asked"
    for turn in range(EACH):
        once = sorted(order[1 + turn * CLIENTS : 1 + (turn + 1) * CLIENTS])
        assert once == [(n, turn if n else turn + 1) for n in range(CLIENTS)], f"turn {turn} is not everybody's"
