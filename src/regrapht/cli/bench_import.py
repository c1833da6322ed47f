"""`regrapht bench import`: problems of public benchmarks, from a user's own checkout, as tasks."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.options import AllowRoot, Json

if TYPE_CHECKING:
    from regrapht.bench.importers.imported import Found, Import

app = typer.Typer(
    help="Make tasks of a public benchmark's problems, from your own checkout of it: pareval, kernelbench.",
    no_args_is_help=True,
)
Checkout = Annotated[Path, typer.Argument(help="The folder of your checkout.")]
Out = Annotated[Path, typer.Option("--out", help="Folder for the tasks; an unfinished import is continued.")]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="NAME",
        help="Only problems or tasks whose name begins with NAME, or whose file has that name; may be repeated.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over tasks that were changed by hand, too.")]


@app.command("pareval")
def pareval_command(
    checkout: Checkout, out: Out, only: Only = None, force: Force = False, as_json: Json = False
) -> None:
    """Import ParEval's problems: the sequential code is the reference, the candidate owns its launches.

    Nothing of the checkout is run. Exits with 0 when everything that could be imported is in place, 1 when that is nothing or a task was
    changed by hand.
    """
    from regrapht.bench.importers.pareval import read_pareval

    done = _write(read_pareval(_folder(checkout)), out, only, force=force, as_json=as_json)
    _finish(done, as_json=as_json)


@app.command("kernelbench")
def kernelbench_command(
    checkout: Checkout,
    out: Out,
    level: Annotated[
        list[int] | None, typer.Option("--level", metavar="LEVEL", help="Default: 1; may be repeated.")
    ] = None,
    only: Only = None,
    full_sizes: Annotated[
        bool,
        typer.Option("--full-sizes", help="Time at the source's own sizes, even where the judge cannot verify them."),
    ] = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Compare each reference with the module itself, run by PyTorch (extra `torch`)."),
    ] = False,
    allow_root: AllowRoot = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Import KernelBench's problems: the modules are read as text and translated to sequential C++, without PyTorch.

    With --verify the checkout's files are executed. Exits with 1 when nothing could be imported, a task was changed by hand or a reference
    disagrees with its module.
    """
    from regrapht.bench.importers.kernelbench import read_kernelbench

    if verify:
        from regrapht.bench.importers.kernelbench_check import require_torch

        require_torch()
    found = read_kernelbench(_folder(checkout), levels=level or (1,), full_sizes=full_sizes)
    done = _write(found, out, only, force=force, as_json=as_json)
    if verify:
        done = _verified(done, checkout, allow_root=allow_root, as_json=as_json)
    _finish(done, as_json=as_json)


def _folder(checkout: Path) -> Path:
    from regrapht.errors import ConfigError

    if not checkout.is_dir():
        raise ConfigError(f"{checkout}: there is no such folder; clone the benchmark and name its folder")
    return checkout


def _write(found: "Found", out: Path, only: Sequence[str] | None, *, force: bool, as_json: bool) -> "Import":
    from regrapht.bench.importers.imported import select, write_import

    chosen = select(found, only or ())
    say = None if as_json else lambda id, how: print(f"{id}: {how}", file=sys.stderr, flush=True)
    return write_import(chosen, out, force=force, observer=say)


def _verified(done: "Import", checkout: Path, *, allow_root: bool, as_json: bool) -> "Import":
    from regrapht.bench.importers.imported import keep_summary
    from regrapht.bench.importers.kernelbench import problem_file
    from regrapht.bench.importers.kernelbench_check import compare_with_module
    from regrapht.sandbox.choose import choose
    from regrapht.tasks.load import load_task

    sandbox = choose(allow_root=allow_root).sandbox
    verified: dict[str, str] = {}
    for task in done.found.tasks:
        compared = compare_with_module(load_task(done.out / task.id), problem_file(checkout, task.problem), sandbox)
        verified[task.id] = compared.why_not
        if not as_json:
            told = compared.why_not or f"agrees with its module at {compared.shapes} shapes"
            print(f"{task.id}: {told}", file=sys.stderr, flush=True)
    done = replace(done, verified=verified)
    keep_summary(done)
    return done


def _finish(done: "Import", *, as_json: bool) -> None:
    from regrapht.bench.importers.imported import Written, summary
    from regrapht.report.imported import import_text

    print(json.dumps(summary(done)) if as_json else import_text(done))
    if not done.written or Written.KEPT in done.written.values() or any((done.verified or {}).values()):
        raise typer.Exit(1)
