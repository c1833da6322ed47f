"""`regrapht graph collect`: trajectories from a model, an engine or a folder into a corpus, every step judged."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRemote, AllowRoot, EvaluatorName, Json, LevelName, read_level


def collect_command(
    tasks: Annotated[Path, typer.Argument(help="A task folder, or a folder of task folders, such as a corpus.")],
    out: Annotated[Path, typer.Option("--out", help="The corpus folder to add trajectories to.")],
    proposer: Annotated[
        str,
        typer.Option(
            "--proposer",
            help="model (one reply a trajectory), folder (replies on disk), or transform (random rules, step by step).",
        ),
    ] = "transform",
    model: Annotated[str | None, typer.Option("--model", help="openai:NAME@URL, scripted:FILE, recorded:FILE.")] = None,
    replies: Annotated[
        Path | None,
        typer.Option("--replies", help="With --proposer folder: TASK.json, or TASK/ANYTHING.json, .md, .txt."),
    ] = None,
    form: Annotated[str, typer.Option("--form", help="json, or blocks, which small models write better.")] = "json",
    relabel: Annotated[
        str | None,
        typer.Option("--relabel", help="The model that labels unknown techniques, or none."),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="The author to record; default: the model's or engine's name.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", help="The collection's name; an interrupted one is continued.")
    ] = None,
    licence: Annotated[str, typer.Option("--licence", help="The licence of what is written.")] = "Apache-2.0",
    samples: Annotated[int, typer.Option("--samples", min=1, help="Trajectories per task.")] = 1,
    steps: Annotated[int, typer.Option("--steps", min=1, max=30, help="Most steps of a trajectory.")] = 12,
    evaluator: EvaluatorName = None,
    level: LevelName = "full",
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Tasks at a time.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Decides which techniques are drawn.")] = 1,
    allow_remote: AllowRemote = False,
    allow_root: AllowRoot = False,
    as_json: Json = False,
) -> None:
    """Collect trajectories, judge every step, and keep what passed, with its failures as outcomes. `graph build` takes it from there."""
    from regrapht.records.encoding import to_plain
    from regrapht.session.collecting import CollectRequest, collect

    request = CollectRequest(
        tasks=tasks,
        out=out,
        writer=proposer,
        model=model,
        replies=replies,
        form=form,
        labels_by=relabel,
        source=source,
        run=run,
        licence=licence,
        samples=samples,
        most=steps,
        evaluator=evaluator,
        level=read_level(level),
        jobs=jobs,
        seed=seed,
        allow_remote=allow_remote,
        allow_root=allow_root,
    )

    def show(attempt: object) -> None:
        if not as_json:
            plain = to_plain(attempt)
            what = plain["trajectory"] or f"rejected: {plain['rejected']}"
            print(f"{plain['task']:24} {what}, {plain['passed']} of {plain['steps']} steps passed", flush=True)

    plain = to_plain(collect(request, on_attempt=show))
    print(json.dumps(plain) if as_json else "\n".join(f"{name:16} {value}" for name, value in plain.items()))
