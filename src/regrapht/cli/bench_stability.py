"""`regrapht bench stability`: whether best programs still build with other toolkits and for other architectures."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli.bench_choice import Families, Limit, TaskFile, Tiers, chosen_tasks
from regrapht.cli.interrupt import stop_on_interrupt
from regrapht.cli.options import AllowRoot, Json
from regrapht.errors import ConfigError, EvaluatorUnavailable, PrerequisiteMissing
from regrapht.wording import counted

if TYPE_CHECKING:
    from regrapht.bench.stability import Toolkit
    from regrapht.sandbox.sandbox import Sandbox


def stability_command(
    suite: Annotated[str, typer.Argument(help="A shipped suite, a folder of tasks, or a pack.")],
    results: Annotated[
        Path | None,
        typer.Option(
            "--results",
            help="Programs that methods delivered, from this file of results; default: best steps of trajectories.",
        ),
    ] = None,
    solutions: Annotated[Path, typer.Option("--solutions", help="Reference trajectories, a folder a task.")] = Path(
        "trajectories/cudaeval"
    ),
    nvcc: Annotated[
        list[Path] | None,
        typer.Option("--nvcc", metavar="FILE", help="A CUDA compiler besides those that are found; may be repeated."),
    ] = None,
    arch: Annotated[
        list[str] | None,
        typer.Option(
            "--arch",
            metavar="ARCH",
            help="Only this architecture, such as sm_90; may be repeated. Default: all from sm_75 on.",
        ),
    ] = None,
    tier: Tiers = None,
    family: Families = None,
    tasks: TaskFile = None,
    limit: Limit = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Programs compiled side by side.")] = 2,
    out: Annotated[Path | None, typer.Option("--out", help="Write every outcome into this JSON file.")] = None,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Compile best programs with every CUDA compiler found, for every architecture it knows; with a GPU each is judged there too.

    Exits with 0 when all pass, 1 when some do not, which are named.
    """
    from regrapht.assemble import open_evaluator
    from regrapht.bench.experiment.results import read_results
    from regrapht.bench.stability import best_programs, best_steps, examine, shares
    from regrapht.records.encoding import to_plain
    from regrapht.sandbox.choose import choose
    from regrapht.store.blobs import write_atomically

    chosen = chosen_tasks(suite, tier, family, tasks, None, limit)
    programs = best_programs(chosen, read_results(results)[1]) if results else best_steps(chosen, solutions)
    if not programs:
        where = (
            f"{results} holds no delivered program of these tasks"
            if results
            else f"{solutions} has no trajectory of these tasks"
        )
        raise ConfigError(where)
    sandbox = choose(allow_root=allow_root).sandbox
    kits = _toolkits(sandbox, nvcc or (), arch or ())
    try:
        evaluator = open_evaluator("local_gpu", allow_root=allow_root)
    except EvaluatorUnavailable as reason:
        evaluator = None
        if not as_json:
            print(f"compiled only, run nowhere: {reason}", file=sys.stderr)
    with stop_on_interrupt("steps") as stop:
        outcomes = examine(
            programs,
            kits,
            sandbox=sandbox,
            evaluator=evaluator,
            workers=workers,
            observer=lambda one, done, of: (
                None
                if one.passed or as_json
                else print(
                    f"[{done}/{of}] {one.task} by {one.maker}, nvcc {one.toolkit}, {one.architecture}: {one.reason}",
                    file=sys.stderr,
                    flush=True,
                )
            ),
            stop=stop,
        )
    if out is not None:
        write_atomically(out, (json.dumps([to_plain(one) for one in outcomes], indent=1) + "\n").encode())
    if as_json:
        print(json.dumps([to_plain(one) for one in outcomes]))
    else:
        print(f"{counted(len(programs), 'program')}, {counted(len(kits), 'toolkit')}")
        for (release, architecture, judged), (passed, of) in shares(outcomes).items():
            how = "judged on a GPU" if judged else "compiled"
            print(f"nvcc {release} {architecture:8} {how}: {passed} of {of} ({100 * passed / of:.1f} %)")
    if stop.is_set():
        raise typer.Exit(130)
    if not all(one.passed for one in outcomes):
        raise typer.Exit(1)


def _toolkits(sandbox: "Sandbox", named: Sequence[Path], architectures: Sequence[str]) -> list["Toolkit"]:
    """The compilers found and named, with what each compiles for."""
    from regrapht.bench.stability import toolkits

    for path in named:
        if not path.is_file():
            raise ConfigError(f"--nvcc {path}: there is no such file")
    kits = toolkits(sandbox, named, architectures)
    if not kits:
        raise PrerequisiteMissing("no nvcc is here: name one with --nvcc")
    if not any(kit.architectures for kit in kits):
        found = ", ".join(kit.version for kit in kits)
        raise PrerequisiteMissing(f"no nvcc here compiles for {', '.join(architectures)} (found: {found})")
    return kits
