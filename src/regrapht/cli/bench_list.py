"""`regrapht bench list`: the suites that ship, and the tasks of one."""

import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.bench_choice import Families, Limit, PerTier, TaskFile, Tiers, chosen_tasks
from regrapht.cli.options import Json
from regrapht.errors import ConfigError
from regrapht.wording import counted

if TYPE_CHECKING:
    from regrapht.bench.suite import Suite, SuiteTask

_EVERY_S = 2.0


def list_command(
    suite: Annotated[str | None, typer.Argument(help="A suite; without it the suites themselves are listed.")] = None,
    tier: Tiers = None,
    family: Families = None,
    tasks: TaskFile = None,
    per_tier: PerTier = None,
    limit: Limit = None,
    engine: Annotated[
        bool,
        typer.Option("--engine", help="Ask the transform engine which tasks it takes; some seconds for a large suite."),
    ] = False,
    as_json: Json = False,
) -> None:
    """List the suites, or the tasks of one with tier and family; with --engine why the transform engine does not take a task."""
    from regrapht.bench.suite import suite_names

    if suite is None:
        if engine or any(option is not None for option in (tier, family, tasks, per_tier, limit)):
            raise ConfigError("--engine and the options that choose tasks need a suite: regrapht bench list SUITE ...")
        names = suite_names()
        print(json.dumps(names) if as_json else "\n".join(names) or "no suite ships with this regrapht")
        return
    chosen = chosen_tasks(suite, tier, family, tasks, per_tier, limit)
    reasons = _reasons(chosen, quiet=as_json) if engine else None
    if as_json:
        print(json.dumps([_plain(task, reasons) for task in chosen.tasks]))
        return
    for task in chosen.tasks:
        print(f"{task.task.id:28} {task.tier or '-':8} {task.family:14} {task.task.title}")
        if reasons is not None and (why := reasons[task.task.id]) is not None:
            print(f"    outside the engine: {why.splitlines()[0]}")
    families = counted(len({task.family for task in chosen.tasks}), "family", "families")
    print(f"{counted(len(chosen.tasks), 'task')} of {families}; {_summary(chosen, reasons)}")


def _plain(task: "SuiteTask", reasons: Mapping[str, str | None] | None) -> dict[str, object]:
    """A task for `--json`."""
    row: dict[str, object] = {
        "id": task.task.id,
        "tier": task.tier,
        "family": task.family,
        "title": task.task.title,
    }
    if reasons is not None:
        row |= {"engine": reasons[task.task.id] is None, "reason": reasons[task.task.id]}
    return row


def _reasons(suite: "Suite", *, quiet: bool) -> dict[str, str | None]:
    """By task, why the transform engine does not take it; None where it does. How far it is is said on stderr now and then."""
    from regrapht.bench.suite import why_outside

    reasons: dict[str, str | None] = {}
    told = time.monotonic()
    for task in suite.tasks:
        reasons[task.task.id] = why_outside(task.task)
        if not quiet and time.monotonic() - told > _EVERY_S:
            told = time.monotonic()
            print(
                f"asked the transform engine about {len(reasons)} of {len(suite.tasks)} tasks",
                file=sys.stderr,
                flush=True,
            )
    return reasons


def _summary(suite: "Suite", reasons: Mapping[str, str | None] | None) -> str:
    """How many tasks the engine does not take, by family."""
    if reasons is None:
        return "--engine says which of them the transform engine takes"
    outside = Counter(task.family for task in suite.tasks if reasons[task.task.id] is not None)
    share = f"{outside.total()} outside the transform engine ({100 * outside.total() / len(suite.tasks):.0f} %)"
    return share + (": " + ", ".join(f"{name} {count}" for name, count in sorted(outside.items())) if outside else "")
