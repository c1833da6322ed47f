"""`regrapht bench pack | diff | verify-results | generate`: suites that do not change or are made anew; whether results hold."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, Json
from regrapht.errors import ConfigError
from regrapht.wording import counted

if TYPE_CHECKING:
    from regrapht.bench.pack import Pack

PackName = Annotated[str, typer.Argument(help="SUITE@VERSION, as in cudaeval@2026.12.")]


def pack_command(
    suite: Annotated[str, typer.Argument(help="A shipped suite, or a folder of tasks.")],
    version: Annotated[str, typer.Argument(help="What it is to be called: letters, digits, dots, dashes.")],
    as_json: Json = False,
) -> None:
    """Keep the suite as it is now as SUITE@VERSION: its tasks, with the hash of each, and tiers, in SUITE/packs. A pack never changes."""
    from regrapht.bench.pack import write_pack
    from regrapht.bench.pack_archive import write_archive
    from regrapht.bench.suite import open_suite, pack_of

    opened = open_suite(suite)
    pack = pack_of(opened, version)
    file = write_pack(opened.root, pack)
    write_archive(opened.root, version, (task.folder for task in opened.tasks))
    if as_json:
        print(json.dumps({"name": pack.name, "tasks": len(pack.tasks), "hash": pack.hash, "file": str(file)}))
        return
    print(f"{pack.name}: {counted(len(pack.tasks), 'task')}, hash {pack.hash}; {file}")


def diff_command(before: PackName, now: PackName, as_json: Json = False) -> None:
    """What the second pack has that the first has not, and which tasks are not the same in both."""
    from regrapht.bench.pack import diff_packs
    from regrapht.records.encoding import to_plain

    diff = diff_packs(_pack(before), _pack(now))
    if as_json:
        print(json.dumps(to_plain(diff)))
        return
    for what, ids in (
        ("added", diff.added),
        ("removed", diff.removed),
        ("judged otherwise", diff.judged_otherwise),
        ("worded otherwise", diff.worded_otherwise),
    ):
        if ids:
            print(f"{what} ({len(ids)}): {', '.join(ids)}")
    for id, one, other in diff.moved:
        print(f"{id}: {one} -> {other}")
    print(f"{counted(diff.same, 'task')} the same")


def _pack(name: str) -> "Pack":
    from regrapht.bench.pack import read_pack
    from regrapht.bench.suite import suite_root

    base, at, version = name.rpartition("@")
    if not at:
        raise ConfigError(f"{name!r} is not a pack: write SUITE@VERSION, as in cudaeval@2026.12")
    return read_pack(suite_root(base), version)


def verify_command(
    results: Annotated[Path, typer.Argument(help="The folder of an experiment, or its file of results.")],
    replay: Annotated[
        int, typer.Option("--replay", min=0, help="How many cells are done again on the emulator; 0 for none.")
    ] = 2,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Check a file of results: pack and tasks by hash, seeds, numbers that contradict each other, edited values; and do a sample again.

    Exits with 0 when it holds, 2 when not, with the reason in one line.
    """
    from regrapht.bench.experiment.replaying import replay_sample
    from regrapht.bench.experiment.verification import verify_results

    experiment, cells, notes = verify_results(results)
    done = replay_sample(experiment, cells, most=replay, allow_root=allow_root)
    notes += done.notes
    if as_json:
        print(
            json.dumps(
                {
                    "cells": len(cells),
                    "pack": experiment.pack_hash,
                    "judged": done.judged,
                    "run": done.run,
                    "notes": notes,
                }
            )
        )
        return
    for note in notes:
        print(f"note: {note}")
    print(
        f"{results} holds: {counted(len(cells), 'cell')} of {experiment.suite}; "
        f"{counted(done.judged, 'program')} judged again, {counted(done.run, 'search', 'searches')} run again"
    )


def generate_command(
    folder: Annotated[Path, typer.Argument(help="A new folder for the suite, such as cudaeval-secret.")],
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="The same seed gives the same tasks; default: one that is drawn."),
    ] = None,
    tasks: Annotated[int, typer.Option("--tasks", min=1, max=10000, help="How many tasks.")] = 102,
    as_json: Json = False,
) -> None:
    """Make a suite out of templates and a seed: tasks whose text stands nowhere yet, so that no model has seen them."""
    import secrets

    from regrapht.bench.generated.suite import write_suite
    from regrapht.store.output_folder import check_writable

    chosen = secrets.randbits(53) if seed is None else seed
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder")
    check_writable(folder)
    write_suite(folder, seed=chosen, count=tasks)
    if as_json:
        print(json.dumps({"folder": str(folder), "tasks": tasks, "seed": chosen}))
        return
    print(f"{folder}: {counted(tasks, 'task')} of the seed {chosen}; regrapht bench run {folder} ...")
