"""Looking back: the runs in the store, and one of them as a story."""

from dataclasses import dataclass, replace

from regrapht.assemble import open_store
from regrapht.errors import SchemaError, UnknownName
from regrapht.records.proposal import Judged
from regrapht.records.run import Event, Run
from regrapht.records.verdict import SCREENED_ONLY, Level
from regrapht.report.model_use import ModelUse
from regrapht.report.story import Story, gain, tell
from regrapht.search.budget import spent_by
from regrapht.store.runs import RunStore


def summaries() -> list[dict[str, object]]:
    """One plain row a stored run, oldest first."""
    store = open_store()
    rows: list[dict[str, object]] = []
    for run in store.runs():
        events = store.events(run.id)
        best, _ = _result(store, run, events)
        rows.append(
            {
                "id": run.id,
                "created": run.created,
                "state": run.state.value,
                "ended": store.ending(run.id),
                "task": run.settings.task.id,
                "search": run.settings.options.search,
                "proposer": run.settings.options.proposer,
                "judged": spent_by(events).candidates,
                "model": ModelUse(events).as_plain() if run.settings.options.model is not None else None,
                "best_status": best.verdict.status.value if best else None,
            }
        )
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRun:
    """A stored run as it is looked back at. The story's best is the run's result; before it has one, the best that was screened, labelled
    so."""

    run: Run
    story: Story
    ended: str | None
    """How it ended; None while it runs, or where that was not kept."""
    use: ModelUse


def show_run(run_id: str) -> ShownRun:
    """A stored run.

    Raises:
        UnknownName: There is no such run, or more than one begins so.
        SchemaError: The run has no yardstick: it ended before its task was examined.
    """
    store = open_store()
    run = find_run(store, run_id)
    if run.yardstick is None:
        raise SchemaError(f"run {run.id} ended before its task was examined: there is nothing to show")
    events = store.events(run.id)
    best, refused = _result(store, run, events)
    story = tell(run.settings.task, run.yardstick, events, best, refused)
    return ShownRun(run=run, story=story, ended=store.ending(run.id), use=ModelUse(events))


def find_run(store: RunStore, beginning: str) -> Run:
    """The one stored run whose id begins so.

    Raises:
        UnknownName: There is none, or there are several.
    """
    found = [run for run in store.runs() if run.id.startswith(beginning)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnknownName(f"there is no run {beginning!r} in {store.folder}; list them: regrapht runs list")
    raise UnknownName(f"{len(found)} runs begin with {beginning!r}: give more of the id, such as {found[-1].id}")


def _result(store: RunStore, run: Run, events: tuple[Event, ...]) -> tuple[Judged | None, tuple[Judged, ...]]:
    """A run's best program, and those that were refused in full."""
    judged = {event.candidate.id: event for event in events if isinstance(event, Judged)}
    finals = [
        replace(judged[final.candidate_id], verdict=final)
        for final in store.finals(run.id)
        if final.candidate_id in judged
    ]
    if not finals:
        return _best_so_far(run, events), ()
    refused = tuple(final for final in finals if not final.verdict.passed)
    return next((final for final in finals if final.verdict.passed), None), refused


def _best_so_far(run: Run, events: tuple[Event, ...]) -> Judged | None:
    """The best as the search saw it."""
    if run.yardstick is None:
        return None
    yardstick = run.yardstick
    passed = [event for event in events if isinstance(event, Judged) and event.verdict.passed]
    best = max(passed, key=lambda event: gain(event.verdict, yardstick) or 0.0, default=None)
    if best is None or best.verdict.level is Level.FULL:
        return best
    return replace(best, verdict=replace(best.verdict, labels=(*best.verdict.labels, SCREENED_ONLY)))
