"""A result folder made again from the store."""

from pathlib import Path

from regrapht.assemble import open_store
from regrapht.errors import ConfigError
from regrapht.report.story import headline
from regrapht.session.finish import write_folder
from regrapht.session.history import show_run
from regrapht.store.output_folder import check_unused


def export_run(run_id: str, out: Path, *, force: bool = False) -> tuple[str, tuple[Path, ...]]:
    """Write the result folder of a stored run anew; its headline and files.

    The verdict is that of the run's result; of a run that has none yet, that of the screening, which says so.

    Raises:
        UnknownName: There is no such run, or more than one begins so.
        ConfigError: Nothing passed in it, or the folder has another run's result.
    """
    shown = show_run(run_id)
    run, story = shown.run, shown.story
    events = open_store().events(run.id)
    if story.best is None:
        raise ConfigError(f"run {run.id} has no program that passed: there is nothing to export")
    check_unused(out, run=run.id, force=force)
    verdict = story.best.verdict
    known = verdict.environment.architecture if verdict.environment is not None else ""
    device = run.settings.options.architecture or known
    architecture = device if device.startswith("sm_") else "sm_80"
    options = run.settings.options
    details = {"Run": run.id, "Search": options.search, "Proposer": options.proposer, "Seed": str(options.seed)}
    details["Ended"] = run.state.value
    files = write_folder(out, run, story, events, architecture=architecture, details=details)
    return headline(story), files
