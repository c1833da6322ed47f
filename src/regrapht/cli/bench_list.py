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
    from regrapht.records.reach import Reach

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
        typer.Option(
            "--engine",
            help="Ask the transform engine how it takes each task; minutes for a large suite, the first time.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """List the suites, or the tasks of one with tier and family; with --engine how the transform engine takes each.

    Proved, observed or promised to be parallel, serial (one thread does the main work), or refused; with what that rests on, or why.
    """
    from regrapht.bench.suite import suite_names

    if suite is None:
        if engine or any(option is not None for option in (tier, family, tasks, per_tier, limit)):
            raise ConfigError("--engine and the options that choose tasks need a suite: regrapht bench list SUITE ...")
        names = suite_names()
        print(json.dumps(names) if as_json else "\n".join(names) or "no suite ships with this regrapht")
        return
    chosen = chosen_tasks(suite, tier, family, tasks, per_tier, limit)
    reached = _reached(chosen, quiet=as_json) if engine else {}
    if as_json:
        print(json.dumps([_plain(task, reached.get(task.task.id)) for task in chosen.tasks]))
        return
    for task in chosen.tasks:
        reach = reached.get(task.task.id)
        label = f"{reach.how.value:9}" if reach is not None else ""
        print(f"{task.task.id:28} {task.tier or '-':8} {task.family:14} {label}{task.task.title}")
        if reach is not None and reach.reason is not None:
            print(f"    {reach.reason.splitlines()[0]}")
    families = counted(len({task.family for task in chosen.tasks}), "family", "families")
    print(f"{counted(len(chosen.tasks), 'task')} of {families}; {_summary(chosen, reached)}")


def _plain(task: "SuiteTask", reach: "Reach | None") -> dict[str, object]:
    """A task for `--json`."""
    row: dict[str, object] = {
        "id": task.task.id,
        "tier": task.tier,
        "family": task.family,
        "title": task.task.title,
    }
    if reach is not None:
        row |= {"engine": reach.how.has_threads, "reached": reach.how.value, "reason": reach.reason}
    return row


def _reached(suite: "Suite", *, quiet: bool) -> dict[str, "Reach"]:
    """By task, how the transform engine takes it. How far it is is said on stderr now and then."""
    from regrapht.bench.suite import reach_of

    found: dict[str, Reach] = {}
    told = time.monotonic()
    for task in suite.tasks:
        found[task.task.id] = reach_of(task.task)
        if not quiet and time.monotonic() - told > _EVERY_S:
            told = time.monotonic()
            print(
                f"asked the transform engine about {len(found)} of {len(suite.tasks)} tasks",
                file=sys.stderr,
                flush=True,
            )
    return found


def _summary(suite: "Suite", reached: Mapping[str, "Reach"]) -> str:
    """How many tasks the engine takes in which way, and of which families those are that it has no threads for."""
    from regrapht.records.reach import Reached

    if not reached:
        return "--engine says how the transform engine takes them"
    counts = Counter(reach.how for reach in reached.values())
    by_label = ", ".join(f"{counts[how]} {how.value}" for how in Reached if counts[how])
    outside = Counter(task.family for task in suite.tasks if not reached[task.task.id].how.has_threads)
    share = f"by the transform engine {by_label}; {outside.total()} without threads ({100 * outside.total() / len(suite.tasks):.0f} %)"
    return share + (": " + ", ".join(f"{name} {count}" for name, count in sorted(outside.items())) if outside else "")
