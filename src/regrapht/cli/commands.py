"""The commands of `regrapht`, each loaded when it is used: an overview of all, and any one of them, need no other.

A summary stands here as well as in its command's own help; a test holds them against each other.
"""

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from regrapht.cli.overview import Overview


@dataclass(frozen=True, slots=True)
class Listed:
    """One command before it is loaded."""

    place: str
    """Module of this package, and in it the function or the group."""
    summary: str
    cls: str | None = None
    """Another class of command, in the same module."""


COMMANDS = {
    "optimize": Listed("optimize:optimize_command", "Search for a fast, verified CUDA version of a function."),
    "port": Listed(
        "port:port_command",
        "Port an application: profile it, optimise its hot functions on what they are called with, put them back, compare the output.",
    ),
    "init": Listed(
        "init:init_command", "Write a task.toml from a function's signature and loops, and say what was guessed."
    ),
    "new": Listed(
        "new:new_command",
        "Write first files for a part of your own: they work as they are, come with their tests, and say what to replace.",
    ),
    "transform": Listed("transform:transform_command", "Write a function as CUDA by the transform engine's rules."),
    "tune": Listed(
        "tune:tune_command",
        "Judge a program, then other values of the parameters that it leaves open, and keep the best.",
    ),
    "check": Listed(
        "check:check_command",
        "Judge one CUDA program, or without one examine whether the task itself can be judged on.",
    ),
    "ci": Listed(
        "ci:ci_command",
        "Judge the CUDA files of a change, each against the task in whose folder it lies, or the sequential file of its name beside it.",
    ),
    "emulate": Listed(
        "emulate:emulate_command",
        "Run CUDA on a CPU: find memory faults and races, and model memory traffic.",
        cls="ArgumentsBehindDashes",
    ),
    "serve": Listed("serve:serve_command", "Judge for agents over HTTP and MCP, on loopback, until interrupted."),
    "mcp": Listed("serve:mcp_command", "Judge for one agent that started this command: MCP on stdin and stdout."),
    "judge-stdio": Listed(
        "serve:judge_stdio_command",
        "Judge for another machine that started this command over ssh: jobs on stdin, answers on stdout.",
    ),
    "view": Listed(
        "view:view_command",
        "Look at runs, live and past, their searches, candidates and experiments in a browser: read only, on loopback, until interrupted.",
    ),
    "models": Listed(
        "models:models_command",
        "Find the models that answer on this machine, and try each with one question and one tiny task.",
    ),
    "schema": Listed(
        "schema:schema_command",
        "Print the JSON schema of something that a command prints with --json, or that a file holds.",
    ),
    "doctor": Listed(
        "doctor:doctor_command",
        "Try compiler, sandbox, emulator, GPU, sanitizer, store and the judge itself, and say how to mend what is missing.",
    ),
    "graph": Listed(
        "graph:app", "The reasoning graph: show, stats, collect, verify, build, merge, quarantine, labels, export."
    ),
    "runs": Listed("runs:app", "Stored runs: list, show, export, resume."),
    "bench": Listed(
        "bench:app",
        "Compare methods on suites of tasks: list, import, admit, run, report, merge, pack, diff, verify-results, stability, generate.",
    ),
    "cudaeval": Listed("cudaeval:app", "Make a suite of tasks out of your own CUDA files: build."),
    "distil": Listed("distil:app", "Tune a small model on verified pairs: data, train, export."),
    "landscape": Listed("landscape:app", "Recorded search landscapes: record, show."),
    "skill": Listed("skill:app", "What a coding agent should know of the judge: show, install."),
    "verdict": Listed("verdict:app", "Verdicts to hand on: replay, sign, verify."),
}


class _OnDemand(MutableMapping[str, Any]):
    """Command by name, loaded at the first look."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load(name, COMMANDS[name])
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(Overview):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _OnDemand()

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:
        return [(name, listed.summary) for name, listed in COMMANDS.items()]


def _load(name: str, listed: Listed) -> Any:
    """The command, made as it would be beside all others."""
    module_name, _, attribute = listed.place.partition(":")
    module = import_module(f"regrapht.cli.{module_name}")
    found = getattr(module, attribute)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name, cls=Overview)
        return typer.main.get_group(alone).commands[name]
    alone.command(name, cls=getattr(module, listed.cls) if listed.cls else None)(found)
    return typer.main.get_command(alone)
