"""The desk's tools as an MCP server, over stdin and stdout or as a part of the HTTP server (the Model Context Protocol, package `mcp`)."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regrapht.errors import PrerequisiteMissing
from regrapht.serve.answers import Answer
from regrapht.serve.desk import Desk
from regrapht.serve.waiting import waiting
from regrapht.version import VERSION

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = """\
Make a sequential function fast on a GPU, and let a judge that cannot be talked round say whether it is right.
1. list_tasks and describe_task, or create_task from a function's text.
2. apply_rule gives a right first program where the engine can write one; else write one for the signature.
3. judge it with level=screen. Refused: mend what the feedback names. explain has the lines.
4. techniques says what to try next; apply_rule applies some of them by itself.
5. judge the best with level=full. Only `passed` there counts; not_checked is no pass.
Never change the task, never key on the judge, its inputs or its sizes: such programs are refused.
"""


def require_mcp() -> None:
    """Say how to get what serving needs.

    Raises:
        PrerequisiteMissing: The package is not here, or too old.
    """
    try:
        from mcp.server import MCPServer  # noqa: F401
    except ImportError as error:
        raise PrerequisiteMissing(
            "serving agents needs the package mcp, version 2 or newer: pip install 'regrapht[agents]'"
        ) from error


def make_server(desk: Desk) -> "MCPServer[Any]":
    """An MCP server with every tool of the desk."""
    require_mcp()
    from mcp.server import MCPServer

    server: MCPServer[Any] = MCPServer("regrapht", instructions=INSTRUCTIONS, version=VERSION, log_level="WARNING")
    for name in Desk.TOOLS:
        server.add_tool(_as_text(desk.tool(name)), name=name, structured_output=False)
    return server


def _as_text(tool: Callable[..., Answer]) -> Any:
    """A tool that answers by text of our own: what the library makes of an object is indented, and longer by a third."""
    import functools
    import inspect

    answering = waiting(tool)

    @functools.wraps(tool)
    async def call(**arguments: Any) -> str:
        return json.dumps(await answering(**arguments), ensure_ascii=False)

    call.__annotations__ = {**tool.__annotations__, "return": str}
    call.__signature__ = inspect.signature(tool).replace(return_annotation=str)  # type: ignore[attr-defined]
    return call


def run_stdio(desk: Desk) -> None:
    """Answer on stdin and stdout until stdin is closed."""
    import anyio

    server = make_server(desk)
    try:
        anyio.run(server.run_stdio_async)
    finally:
        desk.close()
