"""`regrapht tune TASK FILE`: try the open parameters of a program that its author brings along."""

from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, Entry, EvaluatorName, Force, Json, ResultFolder, TaskOrFile, read_level
from regrapht.records.run import TUNED_SETTINGS, RunOptions


def tune_command(
    task: TaskOrFile,
    file: Annotated[
        Path,
        typer.Argument(
            help="A .cu file with '// tune: NAME = 16 | 32 | 64' lines, or decisions of the transform engine."
        ),
    ],
    entry: Entry = None,
    evaluator: EvaluatorName = None,
    level: Annotated[str, typer.Option("--level", help="How settings are judged: screen or full.")] = "screen",
    budget: Annotated[int, typer.Option("--budget", min=1, help="Settings to judge.")] = TUNED_SETTINGS,
    seed: Annotated[int, typer.Option("--seed", help="The same seed tries the same settings.")] = 0,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Settings judged side by side.")] = 1,
    out: ResultFolder = None,
    force: Force = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Try other values of the parameters that a program leaves open, and keep the best.

    Exits with 0 when a setting passed in full, 1 when the program itself was refused.
    """
    from regrapht.cli.running import run_to_end
    from regrapht.session.tune import launch_tuning

    options = RunOptions(
        entry=entry, evaluator=evaluator, level=read_level(level), seed=seed, workers=workers, out=out, tune=budget
    )
    run_to_end(launch_tuning(task, file, options, allow_root=allow_root, force=force), out=out, as_json=as_json)
