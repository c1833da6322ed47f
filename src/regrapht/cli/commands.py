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
    """Another class of command, and its module."""


COMMANDS = {
    "optimize": Listed(
        "optimize:optimize_command", "Search for a fast, verified CUDA version of a function.", cls="overview:Sections"
    ),
    "port": Listed(
        "port:port_command",
        "Port an application: profile it, optimise its hot functions on what they are called with, put them back, compare the output.",
    ),
    "init": Listed(
        "init:init_command", "Write a task.toml from a function's signature and loops, and say what was guessed."
    ),
    "new": Listed(
        "new:new_command",
        "Create a working search, proposer, evaluator or task of your own to start from, with its tests.",
    ),
    "transform": Listed("transform:transform_command", "Write a function as CUDA by the transform engine's rules."),
    "tune": Listed(
        "tune:tune_command",
        "Try other values of the parameters that a program leaves open, and keep the best.",
    ),
    "check": Listed(
        "check:check_command",
        "Judge one CUDA program; without one, examine whether the task itself can be judged on.",
    ),
    "ci": Listed(
        "ci:ci_command",
        "Judge the CUDA files of a change, each against its task: the folder it lies in, or the sequential file of its name beside it.",
    ),
    "emulate": Listed(
        "emulate:emulate_command",
        "Run CUDA on a CPU: find memory faults and races, and model memory traffic.",
        cls="emulate:ArgumentsBehindDashes",
    ),
    "serve": Listed(
        "serve:serve_command", "Serve the judge to agents over HTTP and MCP, on loopback, until interrupted."
    ),
    "mcp": Listed(
        "serve:mcp_command", "Serve the judge to one agent that started this command: MCP on stdin and stdout."
    ),
    "judge-stdio": Listed(
        "serve:judge_stdio_command",
        "Serve the judge to another machine that started this command over ssh: jobs on stdin, answers on stdout.",
    ),
    "view": Listed(
        "view:view_command",
        "Browse runs, live and past, their searches, candidates and experiments: read only, on loopback, until interrupted.",
    ),
    "models": Listed(
        "models:models_command",
        "Find the models on this machine, and try each with one question and one small task.",
    ),
    "schema": Listed(
        "schema:schema_command",
        "Print the JSON schema of what a command prints with --json, or of what a file holds.",
    ),
    "doctor": Listed(
        "doctor:doctor_command",
        "Check compiler, sandbox, emulator, GPU, sanitizer, store and the judge itself, and say how to fix what is missing.",
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

HEADINGS = {
    "Make code fast": ("optimize", "port", "init", "transform", "tune"),
    "Judge CUDA": ("check", "emulate", "ci", "verdict"),
    "This machine": ("doctor", "models"),
    "Look at results": ("runs", "view"),
    "For agents and other machines": ("serve", "mcp", "skill", "judge-stdio"),
    "Research": ("bench", "graph", "landscape", "distil", "cudaeval"),
    "Build on it": ("new", "schema"),
}
"""How `regrapht --help` groups them."""


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

    def summaries(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        return {title: [(name, COMMANDS[name].summary) for name in names] for title, names in HEADINGS.items()}


def _load(name: str, listed: Listed) -> Any:
    """The command, made as it would be beside all others."""
    found = _found(listed.place)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name, cls=Overview)
        return typer.main.get_group(alone).commands[name]
    alone.command(name, cls=_found(listed.cls) if listed.cls else None)(found)
    return typer.main.get_command(alone)


def _found(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(f"regrapht.cli.{module}"), attribute)
