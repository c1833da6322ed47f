"""Carrying a launched run to its end, and writing what it leaves for its user."""

import shlex
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from regrapht.assemble import close_model
from regrapht.errors import Unavailable
from regrapht.evaluate.evaluator import Evaluator
from regrapht.loop import OptimizeSettings, Outcome, run_search
from regrapht.records.answers import RatioTold, RunTold, ShapeTold
from regrapht.records.candidate import lineage
from regrapht.records.encoding import to_plain
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.proposal import Judged
from regrapht.records.run import Asked, Event, Run, RunSettings, RunState
from regrapht.records.verdict import SCREENED_ONLY, Verdict
from regrapht.report.model_use import ModelUse
from regrapht.report.result_folder import write_result
from regrapht.report.story import Story, gain, headline, tell
from regrapht.search.budget import spent_by
from regrapht.search.search import Search
from regrapht.session.launch import Launched
from regrapht.source.one_thread import runs_in_one_thread
from regrapht.store.output_folder import check_unused
from regrapht.store.runs import RunJournal
from regrapht.tune.tuned_search import TunedSearch
from regrapht.version import VERSION

NOT_ADMITTED = "not_admitted"
"""A result's label: its task breaks rules that would keep it out of a suite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a run came to."""

    run_id: str
    headline: str
    folder: Path
    files: tuple[Path, ...]
    passed: bool
    """Whether a program passed in full; one that was only screened is in `outcome`."""
    interrupted: bool
    reason: str
    outcome: Outcome
    use: ModelUse
    """What was asked of a model."""
    yardstick: Yardstick
    judged_by: Mapping[str, int]
    """Judged candidates by who wrote them: `engine`, `rule`, `hint`, `model` or `other`."""
    written_by: tuple[str, ...]
    """Who wrote the programs on the way to the result, in order."""
    notes: tuple[str, ...] = ()
    """What was guessed of the task, what the judge cannot do here, and what speaks against the task."""

    @property
    def screened_only(self) -> bool:
        """Whether the best program was not judged in full: there was no time, or the run was interrupted."""
        return self.outcome.best is not None and not self.passed

    @property
    def in_one_thread(self) -> bool:
        """Whether one thread does the main work of the best program: then nothing was gained."""
        return self.outcome.best is not None and runs_in_one_thread(self.outcome.best)

    @property
    def verdict(self) -> Verdict | None:
        """What the best program's result rests on; None where none passed."""
        return self.outcome.best.verdict if self.outcome.best is not None else None

    @property
    def source(self) -> str | None:
        """The text of the best program; None where none passed."""
        return self.outcome.best.candidate.source if self.outcome.best is not None else None

    @property
    def gain(self) -> float | None:
        """The yardstick's start over the best program's time, or over its modelled cost where no time was measured."""
        return gain(self.verdict, self.yardstick) if self.verdict is not None else None

    @property
    def writers(self) -> str:
        """Who wrote what was judged, and who the result, in words; empty where nothing was judged."""
        judged = ", ".join(f"{count} by {writer}" for writer, count in self.judged_by.items())
        result = f"; the result by {', then '.join(self.written_by)}" if self.written_by else ""
        return f"judged: {judged}{result}" if judged else ""

    def __str__(self) -> str:
        return f"{self.headline}\n  {self.folder}"

    def as_plain(self) -> dict[str, object]:
        """For `--json`."""
        plain: dict[str, object] = to_plain(self.told)
        return plain

    @property
    def told(self) -> RunTold:
        """For programs: what the schema `run` describes."""
        best = self.outcome.best
        timing = best.verdict.timing if best else None
        return RunTold(
            run=self.run_id,
            headline=self.headline,
            passed=self.passed,
            ended=self.reason,
            judged=self.outcome.judged,
            judged_by=dict(self.judged_by),
            written_by=self.written_by,
            model=self.use.told() if self.use.requests else None,
            techniques=best.candidate.techniques if best else (),
            status=best.verdict.status.value if best else None,
            no_timing=best.verdict.no_timing if best else None,
            time_us=best.verdict.time_us if best else None,
            gain=self.gain,
            gain_over=self.yardstick.start_name,
            gain_is_measured=self.yardstick.scale is Scale.MEASURED_US,
            one_core_us=self.yardstick.one_core_us,
            shapes=tuple(
                ShapeTold(
                    sizes=shape.sizes,
                    time_us=shape.candidate.median_us,
                    ratios={r.against: RatioTold(value=r.value, low=r.low, high=r.high) for r in shape.ratios},
                )
                for shape in timing or ()
            ),
            labels=best.verdict.labels if best else (),
            in_one_thread=self.in_one_thread,
            notes=self.notes,
            folder=str(self.folder),
            files=tuple(str(path) for path in self.files),
        )


def finish(
    launched: Launched,
    *,
    out: Path | None,
    observer: Callable[[Event], None],
    stop: threading.Event,
    seconds: float | None = None,
) -> Result:
    """Run the loop to its end or until `stop`, then write the result folder. The run's state in the store says how it ended.

    Args:
        out: The result folder; None is the one that the run was started with, else one of the run's own in `regrapht-out`.
        seconds: What is left for it, where that is less than its budget has.
    """
    run, options = launched.run, launched.run.settings.options
    folder = out or options.out or Path("regrapht-out") / f"{launched.task.id}-{run.id}"
    check_unused(folder, run=run.id, force=launched.force)
    limits = [one for one in (options.budget.seconds, seconds) if one is not None]
    state, ended = RunState.INTERRUPTED, "interrupted"
    finals: tuple[Verdict, ...] = ()
    try:
        outcome = run_search(
            launched.task,
            search=launched.search,
            proposer=launched.proposer,
            evaluator=launched.evaluator,
            settings=OptimizeSettings(
                level_search=options.level, workers=options.workers, seconds=min(limits, default=None)
            ),
            journal=RunJournal(launched.store, run.id),
            replayed=launched.replayed,
            observer=observer,
            stop=stop,
        )
        if run.settings.not_admitted:
            outcome = _labelled(outcome, NOT_ADMITTED)
        state, ended, finals = state_after(outcome.reason), outcome.reason, outcome.rests_on
    except Unavailable as error:
        ended = f"unavailable: {error}"
        raise
    finally:
        launched.store.set_state(run.id, state, reason=ended, finals=finals)
        close_model(launched.proposer)
    events = launched.store.events(run.id)
    story = tell(launched.task, launched.yardstick, events, outcome.best, outcome.finals)
    files = write_folder(
        folder,
        run,
        story,
        events,
        architecture=options.architecture or _architecture(launched.evaluator),
        details=_details(launched, events, outcome),
        notes=launched.preamble,
    )
    return Result(
        run_id=run.id,
        headline=headline(story),
        folder=folder,
        files=files,
        passed=outcome.best is not None and SCREENED_ONLY not in outcome.best.verdict.labels,
        interrupted=state is RunState.INTERRUPTED,
        reason=outcome.reason,
        outcome=outcome,
        use=ModelUse(events),
        yardstick=launched.yardstick,
        judged_by={writer.value: count for writer, count in spent_by(events).by_writer.items()},
        written_by=written_by(events, outcome.best),
        notes=launched.preamble,
    )


def _details(launched: Launched, events: tuple[Event, ...], outcome: Outcome) -> Mapping[str, str]:
    """Facts about the run, for its result's head."""
    options = launched.run.settings.options
    asked = options.model is not None
    return {
        "Run": launched.run.id,
        "Search": options.search,
        "Proposer": options.proposer,
        **({"Model": str(options.model), "Asked of it": ModelUse(events).words() or "nothing"} if asked else {}),
        "Seed": str(options.seed),
        "Ended": outcome.reason,
        **(_writers(events, outcome) if asked else {}),
        **_tuning(launched.search),
    }


def _writers(events: tuple[Event, ...], outcome: Outcome) -> Mapping[str, str]:
    """Who wrote what, in words: the engine's programs are never counted as a model's."""
    judged = ", ".join(f"{count} by {writer}" for writer, count in spent_by(events).by_writer.most_common())
    found = {"Judged candidates": judged} if judged else {}
    return found | ({"Result written by": ", then ".join(written_by(events, outcome.best))} if outcome.best else {})


def written_by(events: tuple[Event, ...], best: Judged | None) -> tuple[str, ...]:
    """Who wrote the programs on the way to the best one, in order; who wrote several in a row is named once."""
    if best is None:
        return ()
    known = {event.candidate.id: event.candidate for event in reversed(events) if isinstance(event, Judged)}
    return tuple(writer.value for writer, _ in groupby(one.writer for one in lineage(best.candidate, known.get)))


def state_after(reason: str) -> RunState:
    """The state of a run that ended for this reason."""
    if reason.startswith("refused"):
        return RunState.REFUSED
    return RunState.INTERRUPTED if reason == "interrupted" else RunState.FINISHED


def write_folder(
    folder: Path,
    run: Run,
    story: Story,
    events: tuple[Event, ...],
    *,
    architecture: str,
    details: Mapping[str, str],
    notes: Sequence[str] = (),
) -> tuple[Path, ...]:
    """Write what a run found to its result folder; the files."""
    options = run.settings.options
    return write_result(
        folder,
        story,
        command=_command(run.settings),
        details=details,
        exemplars=_exemplars(events),
        architecture=architecture,
        run=run.id,
        residency=options.residency,
        bindings=options.bindings,
        notes=notes,
    )


def _tuning(search: Search) -> Mapping[str, str]:
    """What tuning left out and why, as a fact about the run; empty for a run that was not to tune."""
    if not isinstance(search, TunedSearch):
        return {}
    report = search.report()
    if report.why_not is not None:
        return {"Tuning": f"nothing was tuned: {report.why_not}"}
    if not report.parameters:
        return {"Tuning": "not begun: the run ended before its search did"}
    left_out = "".join(f"; {count} left out: {why}" for why, count in report.left_out)
    return {
        "Tuned": "; ".join(report.parameters),
        "Tuning": f"{report.judged} of {report.settings} settings judged{left_out}",
    }


def _labelled(outcome: Outcome, label: str) -> Outcome:
    """The outcome with `label` on its best verdict."""
    if outcome.best is None:
        return outcome
    verdict = replace(outcome.best.verdict, labels=(*outcome.best.verdict.labels, label))
    return replace(outcome, best=replace(outcome.best, verdict=verdict))


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


def _command(settings: RunSettings) -> str:
    """The command that makes the run again; what was left at its default is left out."""
    options = settings.options
    words = ["regrapht", "optimize" if options.given_file is None else "tune", str(settings.path)]
    if options.given_file is None:
        words += _asked(("search", options.search), ("proposer", options.proposer), ("model", options.model))
        words += _asked(("budget", options.budget))
    else:
        words += [str(options.given_file), *_asked(("budget", options.tune))]
    words += [f"-I{folder}" for folder in options.flags.include] + [f"-D{one}" for one in options.flags.defines]
    words += [f"-std={options.flags.standard}"] if options.flags.standard is not None else []
    words += _asked(("project", options.flags.project), ("residency", options.residency))
    words += [f"--{binding}" for binding in options.bindings]
    words += _asked(("entry", options.entry), ("evaluator", options.evaluator), ("level", options.level.value))
    words += _asked(("seed", options.seed), ("workers", options.workers))
    if options.given_file is None:
        words += _asked(("graph", options.graph), ("arch", options.architecture))
        words += _asked(("reasoning-effort", options.reasoning_effort))
        words += ["--hide-family"] if options.hide_family else []
        if options.model is not None:
            words += _asked(("prompts", options.prompts))
            words += _asked(("context-tokens", options.context_tokens), ("max-tokens", options.max_tokens))
            words += ["--hide-reference"] if options.hide_reference else []
            words += [] if options.mend else ["--no-mend"]
            words += _asked(("choice-weight", options.choice_weight)) if options.proposer == "hybrid" else []
        words += [] if options.repair else ["--no-repair"]
        words += ["--tune", *_asked(("tune-budget", options.tune))] if options.tune is not None else []
    return shlex.join(words) + f"   # regrapht {VERSION}"


def _asked(*options: tuple[str, object]) -> list[str]:
    return [word for name, value in options if value is not None for word in (f"--{name}", str(value))]
