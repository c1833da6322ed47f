"""`regrapht graph collect`: trajectories from a model, an engine or a folder into a corpus, every step judged."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRoot, EvaluatorName, Json, read_level


def collect_command(
    tasks: Annotated[Path, typer.Argument(help="A task folder, or a folder of task folders, such as a corpus.")],
    out: Annotated[Path, typer.Option("--out", help="The corpus folder that trajectories go to.")],
    proposer: Annotated[
        str,
        typer.Option("--proposer", help="model (one reply a trajectory), folder, or transform (step by step by lot)."),
    ] = "transform",
    model: Annotated[str | None, typer.Option("--model", help="openai:NAME@URL, scripted:FILE, recorded:FILE.")] = None,
    replies: Annotated[
        Path | None, typer.Option("--replies", help="For folder: TASK.json or TASK/ANYTHING.json, .md, .txt.")
    ] = None,
    form: Annotated[str, typer.Option("--form", help="json, or blocks, which small models write better.")] = "json",
    relabel: Annotated[
        str | None,
        typer.Option("--relabel", help="The model that labels unknown techniques; none for no model at all."),
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Who writes, as recorded; default: the model's or engine's name.")
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", help="The collection's name; the same name goes on where it was interrupted.")
    ] = None,
    licence: Annotated[str, typer.Option("--licence", help="Of what is written.")] = "Apache-2.0",
    samples: Annotated[int, typer.Option("--samples", min=1, help="Trajectories a task.")] = 1,
    steps: Annotated[int, typer.Option("--steps", min=1, max=30, help="Steps a trajectory, at most.")] = 12,
    evaluator: EvaluatorName = None,
    level: Annotated[str, typer.Option("--level", help="screen or full.")] = "full",
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Tasks at a time.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of the techniques that are drawn.")] = 1,
    allow_remote: Annotated[bool, typer.Option("--allow-remote", help="The model may be on another machine.")] = False,
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
