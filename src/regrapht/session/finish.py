"""Carrying a launched run to its end, and writing what it leaves for its user."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from regrapht.evaluate.evaluator import Evaluator
from regrapht.optimize import OptimizeSettings, Outcome, optimize
from regrapht.records.proposal import Judged
from regrapht.records.run import Asked, Event, Run, RunState
from regrapht.report.result_folder import check_writable, write_result
from regrapht.report.story import headline, tell
from regrapht.session.launch import Launched, read_level
from regrapht.store.runs import RunStore
from regrapht.version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a run came to."""

    run_id: str
    headline: str
    folder: Path
    files: tuple[Path, ...]
    passed: bool
    interrupted: bool
    reason: str
    outcome: Outcome

    def as_plain(self) -> dict[str, object]:
        """For `--json`."""
        best = self.outcome.best
        return {
            "run": self.run_id,
            "headline": self.headline,
            "passed": self.passed,
            "ended": self.reason,
            "judged": self.outcome.judged,
            "techniques": list(best.candidate.techniques) if best else [],
            "status": best.verdict.status.value if best else None,
            "no_timing": best.verdict.no_timing if best else None,
            "time_us": best.verdict.time_us if best else None,
            "labels": list(best.verdict.labels) if best else [],
            "folder": str(self.folder),
            "files": [str(path) for path in self.files],
        }


def finish(launched: Launched, *, out: Path | None, observer: Callable[[Event], None], stop: threading.Event) -> Result:
    """Run the loop to its end or until `stop`, then write the result folder. The run's state in the store says how it ended."""
    run = launched.run
    folder = out or Path("regrapht-out") / f"{launched.task.id}-{run.id}"
    check_writable(folder)
    journal = _Journal(launched.store, run.id)
    state = RunState.INTERRUPTED
    try:
        outcome = optimize(
            launched.task,
            search=launched.search,
            proposer=launched.proposer,
            evaluator=launched.evaluator,
            settings=OptimizeSettings(
                level_search=read_level(run.settings.level),
                workers=run.settings.workers,
                seconds=run.settings.budget.seconds,
            ),
            journal=journal,
            replayed=launched.replayed,
            observer=observer,
            stop=stop,
        )
        if outcome.reason != "interrupted":
            state = RunState.FINISHED
    finally:
        launched.store.set_state(run.id, state)
    story = tell(launched.task, launched.yardstick, launched.store.events(run.id), outcome.best)
    files = write_result(
        folder,
        story,
        command=_command(run),
        details={
            "Run": run.id,
            "Search": run.settings.search,
            "Proposer": run.settings.proposer,
            "Seed": str(run.settings.seed),
        },
        exemplars=_exemplars(launched.store.events(run.id)),
        architecture=str(run.settings.options.get("architecture") or _architecture(launched.evaluator)),
    )
    return Result(
        run_id=run.id,
        headline=headline(story),
        folder=folder,
        files=files,
        passed=outcome.best is not None,
        interrupted=state is RunState.INTERRUPTED,
        reason=outcome.reason,
        outcome=outcome,
    )


@dataclass(frozen=True, slots=True)
class _Journal:
    """The store, as the loop writes to it."""

    store: RunStore
    run_id: str

    def append(self, event: Event) -> object:
        return self.store.append(self.run_id, event)


def _architecture(evaluator: Evaluator) -> str:
    architecture = evaluator.environment().architecture
    return architecture if architecture.startswith("sm_") else "sm_80"


def _exemplars(events: tuple[Event, ...]) -> Mapping[int, list[str]]:
    """The exemplars that each judged step's proposal carried, by the step's number."""
    carried = {
        event.proposal.id: [exemplar.task_id for exemplar in event.proposal.exemplars]
        for event in events
        if isinstance(event, Asked)
    }
    judged = [event for event in events if isinstance(event, Judged)]
    return {number: carried.get(event.proposal_id, []) for number, event in enumerate(judged, start=1)}


def _command(run: Run) -> str:
    chosen = run.settings
    limits = {name: getattr(chosen.budget, name) for name in ("candidates", "proposals", "tokens", "seconds", "usd")}
    budget = ",".join(f"{name}={limit}" for name, limit in limits.items() if limit is not None)
    parts = ["regrapht optimize", str(chosen.options["path"]), f"--search {chosen.search} --proposer {chosen.proposer}"]
    parts += [f"--model {chosen.model}"] if chosen.model else []
    parts.append(
        f"--evaluator {chosen.evaluator} --level {chosen.level} --budget {budget} --seed {chosen.seed} --workers {chosen.workers}"
    )
    return " ".join(parts) + f"   # regrapht {VERSION}"
