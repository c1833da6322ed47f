"""`regrapht serve` and `regrapht mcp`: a judge that stays, for agents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, EvaluatorName, GraphFile, Port

if TYPE_CHECKING:
    from regrapht.serve.desk import Desk

Tasks = Annotated[
    list[Path] | None, typer.Argument(help="Task folders, bare source files, or folders of tasks to offer by name.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Judgements at once; default: one per core, at most 8.")
]


def serve_command(
    tasks: Tasks = None,
    port: Port = 8377,
    token: Annotated[
        str | None,
        typer.Option("--token", help="Token that callers must send; default: REGRAPHT_TOKEN, else a new one."),
    ] = None,
    evaluator: EvaluatorName = None,
    workers: Workers = None,
    graph: GraphFile = None,
    allow_root: AllowRoot = False,
) -> None:
    """Serve the judge to agents over HTTP and MCP, on loopback, until interrupted. `regrapht check` uses it while it runs."""
    import secrets
    from functools import partial

    from regrapht.serve.mcp_server import require_mcp
    from regrapht.settings import serve_token

    require_mcp()
    from regrapht.serve.listening import run_http

    desk = _open(tasks or [], evaluator, workers, graph, allow_root)
    say = partial(print, flush=True)  # a log file or a program that waits for the address gets it at once
    run_http(desk, port=port, token=token or serve_token() or secrets.token_urlsafe(24), say=say)


def mcp_command(
    tasks: Tasks = None,
    evaluator: EvaluatorName = None,
    workers: Workers = None,
    graph: GraphFile = None,
    allow_root: AllowRoot = False,
) -> None:
    """Serve the judge to one agent that started this command: MCP on stdin and stdout."""
    from regrapht.serve.mcp_server import require_mcp, run_stdio

    require_mcp()
    run_stdio(_open(tasks or [], evaluator, workers, graph, allow_root))


def judge_stdio_command(evaluator: EvaluatorName = None, allow_root: AllowRoot = False) -> None:
    """Serve the judge to another machine that started this command over ssh: jobs on stdin, answers on stdout."""
    import sys

    from regrapht.evaluate.elsewhere import JudgeAtHand
    from regrapht.evaluate.ssh import serve_stdio

    serve_stdio(JudgeAtHand(evaluator, allow_root=allow_root), sys.stdin, sys.stdout)


def _open(
    tasks: list[Path], evaluator: str | None, workers: int | None, graph: Path | None, allow_root: bool
) -> "Desk":
    from regrapht.serve.opening import open_desk

    return open_desk(tasks, evaluator=evaluator, workers=workers, graph=graph, allow_root=allow_root)
