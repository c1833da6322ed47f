"""`regrapht bench`: suites of tasks, methods compared on them at equal budgets, and the tables of what came out."""

import json
import shlex
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrapht.cli import bench_import, bench_list, bench_packs, bench_stability
from regrapht.cli.bench_choice import Families, Limit, PerTier, TaskFile, Tiers, chosen_tasks
from regrapht.cli.interrupt import stop_on_interrupt
from regrapht.cli.options import (
    AllowRemote,
    AllowRoot,
    ChoiceWeight,
    Cluster,
    ClusterKind,
    EvaluatorName,
    GraphFile,
    Json,
    Mend,
    Prompts,
    Repair,
    read_budget,
    read_cluster,
    read_level,
)
from regrapht.cli.overview import Overview
from regrapht.errors import ConfigError
from regrapht.records.run import RunOptions

if TYPE_CHECKING:
    from regrapht.bench.experiment.results import CellResult
    from regrapht.bench.suite import Suite

app = typer.Typer(
    help="Compare methods on suites of tasks: list, import, admit, run, report, merge, pack, diff, verify-results, stability, generate.",
    no_args_is_help=True,
)
app.command("list")(bench_list.list_command)
app.add_typer(bench_import.app, name="import", cls=Overview)
_DEFAULTS = RunOptions()
SuiteName = Annotated[str, typer.Argument(help="A shipped suite, a folder of tasks, or a pack: SUITE@VERSION.")]


@app.command("admit")
def admit_command(
    suite: SuiteName,
    solutions: Annotated[
        Path | None,
        typer.Option(
            "--solutions",
            help="Reference trajectories, a folder a task; default: trajectories/cudaeval where it has any of this suite.",
        ),
    ] = None,
    tier: Tiers = None,
    family: Families = None,
    tasks: TaskFile = None,
    per_tier: PerTier = None,
    limit: Limit = None,
    evaluator: EvaluatorName = None,
    cluster: Cluster = None,
    cluster_kind: ClusterKind = None,
    level: Annotated[str, typer.Option("--level", help="How steps are judged: screen or full.")] = "full",
    workers: Annotated[int, typer.Option("--workers", min=1, help="Tasks examined side by side.")] = 2,
    write_tiers: Annotated[
        bool, typer.Option("--write-tiers", help="Keep the computed tiers of these tasks beside the suite.")
    ] = False,
    untimed: Annotated[
        bool, typer.Option("--untimed", help="Only tasks whose kept tier does not rest on measured times.")
    ] = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Examine every task of a suite, judge its reference trajectory, and compute its tier.

    Without a GPU only check sizes are judged, and tiers rest on modelled costs. Exits with 1 when a task is not admitted.
    """
    from regrapht.assemble import open_evaluator
    from regrapht.bench.admit.admission import admit_suite, timed_tasks
    from regrapht.bench.admit.admission import write_tiers as keep_tiers
    from regrapht.bench.suite import open_suite
    from regrapht.records.encoding import to_plain
    from regrapht.report.suite import admission_line, admission_summary
    from regrapht.sandbox.choose import choose

    chosen = chosen_tasks(suite, tier, family, tasks, per_tier, limit)
    if untimed:
        timed = timed_tasks(chosen)
        chosen = chosen.select(ids=[task.task.id for task in chosen.tasks if task.task.id not in timed])
    if write_tiers and chosen.pack_hash is not None:
        raise ConfigError(f"--write-tiers: the tiers of a pack do not change; name the suite, {chosen.root.name}")
    if solutions is not None and not solutions.is_dir():
        raise ConfigError(f"--solutions {solutions}: there is no such folder")
    folder = solutions or _usual_solutions(chosen)
    judge = open_evaluator(read_cluster(evaluator, cluster, cluster_kind), allow_root=allow_root)
    with stop_on_interrupt("steps") as stop:
        say = _teller(as_json)
        say(f"judge: {judge.name} on {judge.environment().device}")
        if judge.name != "local_gpu":
            say(
                "no GPU: only check sizes are judged, and tiers rest on modelled costs where no measured verdict is on file"
            )
        if folder is None:
            say("no reference trajectories: tiers are not computed; name their folder with --solutions")
        found = admit_suite(
            chosen,
            sandbox=choose(allow_root=allow_root).sandbox,
            evaluator=judge,
            solutions=folder,
            level=read_level(level),
            workers=workers,
            observer=lambda task, done, of: say(f"[{done}/{of}] {admission_line(task)}"),
            stop=stop,
        )
    print(json.dumps([to_plain(task) for task in found]) if as_json else admission_summary(found))
    if len(found) < len(chosen.tasks):
        raise typer.Exit(130)
    if write_tiers:
        print(keep_tiers(open_suite(suite), found), file=sys.stderr)
    if not all(task.is_admitted for task in found):
        raise typer.Exit(1)


def _usual_solutions(suite: "Suite") -> Path | None:
    """The checkout's folder of trajectories, if it has one of this suite: no other suite is refused for what it never had."""
    usual = Path("trajectories/cudaeval")
    return usual if any((usual / task.task.id).is_dir() for task in suite.tasks) else None


@app.command("run")
def run_command(
    suite: SuiteName,
    method: Annotated[
        list[str],
        typer.Option(
            "--method",
            metavar="METHOD",
            help="A search, or NAME=search:..., proposer:..., model:..., prompts:FOLDER (no blanks); repeat it to compare several.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder of the experiment; an unfinished one is continued.")],
    proposer: Annotated[
        str,
        typer.Option(
            "--proposer",
            help="Who writes programs: transform, hybrid or language_model; default: hybrid with --model, else transform.",
            show_default=False,
        ),
    ] = "",
    model: Annotated[
        str | None,
        typer.Option("--model", help="Which model, and where: as for `regrapht optimize`."),
    ] = None,
    budget: Annotated[
        str,
        typer.Option(
            "--budget", help="For each cell: judged candidates, or candidates= proposals= tokens= seconds= usd=."
        ),
    ] = "20",
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How often each method is tried at each task.")] = 1,
    tier: Tiers = None,
    family: Families = None,
    tasks: TaskFile = None,
    per_tier: PerTier = None,
    limit: Limit = None,
    evaluator: EvaluatorName = None,
    cluster: Cluster = None,
    cluster_kind: ClusterKind = None,
    level: Annotated[
        str, typer.Option("--level", help="How the search judges: screen or full. Bests are judged in full.")
    ] = "screen",
    graph: GraphFile = None,
    hide_family: Annotated[
        bool, typer.Option("--hide-family", help="Hide what the graph learnt from the task's own family.")
    ] = False,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", help="With a model: its longest reply.")
    ] = _DEFAULTS.max_tokens,
    context_tokens: Annotated[
        int | None, typer.Option("--context-tokens", help="With a model: its context; prompts are cut to fit.")
    ] = None,
    mend: Mend = True,
    repair: Repair = True,
    choice_weight: ChoiceWeight = _DEFAULTS.choice_weight,
    prompts: Prompts = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Cells run side by side.")] = 1,
    allow_remote: AllowRemote = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Run methods x tasks x seeds, each cell a run of its own. Ctrl-C or a kill loses nothing: give the same command again to go on.

    Exits with 0 when every cell is done, 130 when interrupted.
    """
    from regrapht.bench.experiment.run import ExperimentRequest, ExperimentRunner

    runner = ExperimentRunner(
        ExperimentRequest(
            suite=chosen_tasks(suite, tier, family, tasks, per_tier, limit),
            methods=tuple(method),
            options=RunOptions(
                proposer=proposer,
                model=model or None,
                evaluator=read_cluster(evaluator, cluster, cluster_kind),
                level=read_level(level),
                budget=read_budget(budget),
                graph=graph,
                hide_family=hide_family,
                max_tokens=max_tokens,
                context_tokens=context_tokens,
                mend=mend,
                repair=repair,
                choice_weight=choice_weight,
                prompts=prompts,
            ),
            seeds=seeds,
            out=out,
            command=shlex.join(["regrapht", *sys.argv[1:]]),
            workers=workers,
            allow_remote=allow_remote,
            allow_root=allow_root,
        )
    )
    with stop_on_interrupt("steps") as stop:
        say = _teller(as_json)
        say(f"judge: {runner.evaluator.name} on {runner.evaluator.environment().device}; {len(runner.cells)} cells")
        if done := len(runner.file.done):
            say(f"{done} {'is' if done == 1 else 'are'} done from before")
        conducted = runner.conduct(observer=lambda cell, done, cells: say(_line(cell, done, cells)), stop=stop)
    if as_json:
        print(json.dumps({"done": conducted.done, "cells": conducted.cells, "file": str(conducted.file)}))
    else:
        print(f"{conducted.done} of {conducted.cells} cells are done; regrapht bench report {out}")
    if not conducted.is_complete:
        raise typer.Exit(130)


@app.command("report")
def report_command(
    results: Annotated[Path, typer.Argument(help="The folder of an experiment, or its file of results.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Folder for report.html, report.md and a .csv a table; default: report beside the results, "
            "NAME_report where the file is called NAME.jsonl.",
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="Only this method; may be repeated. Of an unfinished experiment: the tasks that these finished.",
        ),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="The curves over budget in a file of their own: .svg, .png or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the tables of an experiment, finished or not: text here, HTML and CSV into a folder. Needs only the file of results."""
    from regrapht.bench.experiment.results import RESULTS, of_methods, read_results
    from regrapht.bench.summary.tables import tabulate
    from regrapht.records.encoding import to_plain
    from regrapht.report.curves import budget_curves
    from regrapht.report.experiment import render_csv, render_page, render_text
    from regrapht.report.figure import Figure
    from regrapht.store.output_folder import check_writable

    experiment, cells = read_results(results)
    tables = tabulate(*(of_methods(experiment, cells, method) if method else (experiment, cells)))
    file = results / RESULTS if results.is_dir() else results
    # Files of results that lie together, under names of their own, do not share a report.
    folder = out or file.with_name("report" if file.name == RESULTS else f"{file.stem}_report")
    check_writable(folder)
    (folder / "report.html").write_text(render_page(tables), encoding="utf-8")
    (folder / "report.md").write_text(render_text(tables), encoding="utf-8")
    for table in tables.tables:
        file_of_table = folder / f"{table.name}.csv"
        if table.rows:
            file_of_table.write_text(render_csv(table), encoding="utf-8")
        else:
            file_of_table.unlink(missing_ok=True)  # of a report before
    if figure is not None:
        Figure(budget_curves(tables.curves, tables.reward_name)).save(figure)
    if as_json:
        print(json.dumps({"conclusion": tables.conclusion, "tables": to_plain(tables.tables)}))
        return
    print(render_text(tables, whole=False))
    print(f"{folder / 'report.html'} (from {file})")


@app.command("merge")
def merge_command(
    results: Annotated[
        list[str],
        typer.Argument(
            help="Folders of experiments, or their files of results; NAME=PATH gives the part's methods another name."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the joined results; it must have none yet.")],
    seeds: Annotated[
        int | None,
        typer.Option(
            "--seeds", min=1, help="Only the first so many seeds; without it all, of parts that have equally many."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Join parts of one comparison, with some of the tasks or of the methods each, into one set of results."""
    from regrapht.bench.experiment.merging import Part, merge_results
    from regrapht.bench.experiment.results import read_results

    file = merge_results(
        [Part.read(text) for text in results], out, command=shlex.join(["regrapht", *sys.argv[1:]]), seeds=seeds
    )
    experiment, cells = read_results(file)
    if as_json:
        print(json.dumps({"file": str(file), "done": len(cells), "cells": experiment.cell_count}))
        return
    print(
        f"{file}: {len(cells)} of {experiment.cell_count} cells, {len(experiment.tasks)} tasks; regrapht bench report {out}"
    )


app.command("pack")(bench_packs.pack_command)
app.command("diff")(bench_packs.diff_command)
app.command("verify-results")(bench_packs.verify_command)
app.command("generate")(bench_packs.generate_command)
app.command("stability")(bench_stability.stability_command)


def _line(cell: "CellResult", done: int, cells: int) -> str:
    reward = cell.improvements[-1].reward if cell.improvements else 0.0
    became = (
        f"{cell.scale.value} reward {reward:.3f}"
        if cell.passed
        else f"not solved ({textwrap.shorten(cell.reason, 80, placeholder=' ...')})"
    )
    return f"[{done}/{cells}] {cell.method} {cell.task_id} seed {cell.seed}: {became}, {cell.judged} judged, {cell.seconds:.0f} s"


def _teller(quiet: bool) -> Callable[[str], None]:
    return (lambda line: None) if quiet else (lambda line: print(line, file=sys.stderr, flush=True))
