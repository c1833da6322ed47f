"""`regrapht runs`: the runs in the store, one of them in full, and going on with an interrupted one."""

import json
from pathlib import Path
from typing import Annotated

import typer

from regrapht.cli.options import AllowRemote, AllowRoot, AllowSerial, Force, Json

app = typer.Typer(help="Stored runs: list, show, export, resume.", no_args_is_help=True)
RunId = Annotated[str, typer.Argument(help="A run's id, or enough of its beginning to tell it from others.")]


@app.command("list")
def list_command(as_json: Json = False) -> None:
    """List the stored runs, newest last."""
    from regrapht.session.history import summaries

    rows = summaries()
    if as_json:
        print(json.dumps(rows))
        return
    if not rows:
        print("No runs yet. Start one: regrapht optimize examples/matrix_product")
    for row in rows:
        best = f"best {row['best_status']}" if row["best_status"] else "nothing passed"
        what = f"{row['task']} {row['search']}/{row['proposer']}"
        print(f"{row['id']}  {row['created']}  {row['state']:11}  {what}: {row['judged']} judged, {best}")


@app.command("show")
def show_command(
    run_id: RunId,
    figure: Annotated[
        Path | None, typer.Option("--figure", help="The gain over judged candidates, as a file: .svg, .png or .pdf.")
    ] = None,
    walk: Annotated[
        Path | None, typer.Option("--walk", help="The search as it was walked, as a file: .svg, .png or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a run: its settings, and every judged candidate with its status."""
    from regrapht.records.encoding import to_json, to_plain
    from regrapht.report.curves import gain_over_budget
    from regrapht.report.figure import Figure
    from regrapht.report.search_picture import search_picture
    from regrapht.report.story import gain_title, headline
    from regrapht.session.history import show_run
    from regrapht.tune.opening import words

    shown = show_run(run_id)
    run, story = shown.run, shown.story
    if figure is not None:
        Figure(gain_over_budget(story.steps, gain_title(story))).save(figure)
    if walk is not None:
        Figure(search_picture(story.steps, story.path)).save(walk)
    if as_json:
        steps = [
            {
                "number": s.number,
                "technique": s.technique,
                "same_as": s.same_as,
                "setting": to_plain(s.setting),
                "verdict": to_plain(s.judged.verdict),
            }
            for s in story.steps
        ]
        use = shown.use.as_plain() if shown.use.requests else None
        print(json.dumps({"run": json.loads(to_json(run)), "ended": shown.ended, "model": use, "steps": steps}))
        return
    options = run.settings.options
    how = f"{options.search} with {options.proposer} on {options.evaluator}, seed {options.seed}"
    print(f"{run.id}: {run.settings.task.id}, {how}, {run.state.value}")
    for step in story.steps:
        gained = f"{step.gain:8.2f} x" if step.gain is not None else " " * 10
        why = words(step.setting) if step.setting and step.gain is not None else step.judged.verdict.reason
        why = f"as #{step.same_as}: {why}" if step.same_as is not None else why
        print(f"{step.number:4} {step.technique:28} {step.judged.verdict.status.value:14} {gained}  {why}")
    print(said := headline(story))
    if shown.use.requests:
        print(f"  model: {shown.use.words()}")
    if shown.ended not in (None, "finished") and shown.ended not in said:
        print(f"  ended: {shown.ended}")


@app.command("export")
def export_command(
    run_id: RunId,
    out: Annotated[Path, typer.Option("--out", help="Folder for the result.")],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write a run's result folder again, from the store."""
    from regrapht.session.export import export_run

    said, files = export_run(run_id, out, force=force)
    if as_json:
        print(json.dumps({"headline": said, "folder": str(out), "files": [str(path) for path in files]}))
        return
    print(said)
    for path in files:
        print(f"  {path}")


@app.command("resume")
def resume_command(
    run_id: RunId,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the result; default: as the run was started with.")
    ] = None,
    allow_remote: AllowRemote = False,
    allow_root: AllowRoot = False,
    allow_serial: AllowSerial = False,
    as_json: Json = False,
) -> None:
    """Go on with an interrupted run where it stopped: nothing is asked or judged twice."""
    from regrapht.cli.running import run_to_end
    from regrapht.session.launch import resume

    launched = resume(run_id, allow_remote=allow_remote, allow_root=allow_root)
    run_to_end(launched, out=out, as_json=as_json, allow_serial=allow_serial)
