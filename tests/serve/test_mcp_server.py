"""A real MCP client: in this process against a judge that takes no time, and over stdin and stdout against the real one."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from regrapht.serve.answers import MOST_BYTES
from regrapht.serve.desk import Desk
from regrapht.serve.mcp_server import make_server
from tests.serve.conftest import SAXPY

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "matrix_product"


async def _call(client: Client, tool: str, **arguments):
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    if not arguments.get("detail"):
        assert len(text.encode()) <= MOST_BYTES + 64, tool
    return result.is_error, text if result.is_error else json.loads(text)


def test_tools_have_schemas_and_answer(desk):
    async def talk():
        async with Client(make_server(desk)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == set(Desk.TOOLS)
            assert tools["judge"].input_schema["required"] == ["task"]
            assert tools["judge"].input_schema["properties"]["level"]["enum"] == ["screen", "full"]
            _, made = await _call(client, "create_task", source=SAXPY)
            _, answer = await _call(client, "judge", task=made["task"], source="right")
            assert answer["outcome"] == "passed"
            wrong, text = await _call(client, "judge", task=made["task"], level="everything")
            assert wrong and "level" in text

    anyio.run(talk)


def test_a_hundred_calls_at_once_are_all_answered(desk, judge):
    async def talk():
        async with Client(make_server(desk)) as client:
            _, made = await _call(client, "create_task", source=SAXPY)
            outcomes = []

            async def one(number: int):
                _, answer = await _call(client, "judge", task=made["task"], source=f"right {number}")
                outcomes.append(answer["outcome"])

            async with anyio.create_task_group() as group:
                for number in range(100):
                    group.start_soon(one, number)
            assert outcomes == ["passed"] * 100

    anyio.run(talk)


class ScriptedAgent:
    """What a model would do with the tools: a faulty first try, a mended one, then what the engine can do."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def work(self) -> tuple[dict, dict]:
        """The answers for the mended program and for the best one."""
        _, listed = await _call(self.client, "list_tasks")
        task = listed["tasks"][0]
        _, plain = await _call(self.client, "apply_rule", task=task, detail=True)
        faulty = plain["source"].replace(" += ", " -= ")
        _, refused = await _call(self.client, "judge", task=task, source=faulty)
        assert refused["outcome"] == "refused", refused
        _, explained = await _call(self.client, "explain", id=refused["id"])
        assert explained["feedback"]
        _, right = await _call(self.client, "judge", task=task, source=faulty.replace(" -= ", " += "))
        _, ranked = await _call(self.client, "techniques", task=task, program=plain["program"])
        assert "shared_memory_tiling" in [row["technique"] for row in ranked["techniques"]]
        program = plain["program"]
        for rule in ("map2d", "tile:32"):
            _, made = await _call(self.client, "apply_rule", task=task, rule=rule, program=program)
            program = made["program"]
        _, best = await _call(self.client, "judge", task=task, program=program, level="full")
        return right, best


@pytest.mark.slow
def test_an_agent_goes_from_a_task_to_a_verified_faster_kernel(tmp_path):
    environment = {**os.environ, "REGRAPHT_HOME": str(tmp_path)}
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "regrapht", "mcp", str(EXAMPLE), "--evaluator", "emulated"],
        env=environment,
    )

    async def talk():
        async with Client(command) as client:
            return await ScriptedAgent(client).work()

    right, best = anyio.run(talk)
    assert right["outcome"] == "passed" and best["level"] == "full"
    assert best["modelled_cost"] < right["modelled_cost"] and best["gain_is_measured"] is False
