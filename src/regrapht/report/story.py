"""A run as the report tells it: candidates in the order they were judged, the way to the best one, and one line that says what was gained.

Pure: from the run's task and events to plain values. Nothing here touches files.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regrapht.records.measurement import WITHOUT_PLAIN, Scale, Yardstick
from regrapht.records.proposal import Judged, ProposalKind
from regrapht.records.run import NOTHING_JUDGED, Asked, Event
from regrapht.records.task import Task
from regrapht.records.verdict import SCREENED_ONLY, Status, Verdict
from regrapht.source.one_thread import runs_in_one_thread


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedStep:
    """One judged candidate, with its place in the run."""

    number: int
    """From 1, in the order of judging."""
    judged: Judged
    kind: str
    parent_number: int | None
    same_as: int | None = None
    """The step that judged this very program first, comments and layout aside; such a repeat costs no judgement."""
    setting: Mapping[str, str] | None = None
    """The values of its open parameters, where tuning made it."""
    gain: float | None
    """Start of the yardstick / this candidate: a speed-up when times were measured, a ratio of modelled costs otherwise. None unless it
    passed."""

    @property
    def counts(self) -> bool:
        """Whether it cost a judgement: not what was skipped, and no program that was judged before."""
        return self.same_as is None and self.judged.verdict.status is not Status.SKIPPED

    @property
    def technique(self) -> str:
        """What was tried, in a word."""
        transition = self.judged.candidate.transition
        return transition.target if transition else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """What the search over the open parameters of the best program came to."""

    start_number: int
    """The step whose program was tuned."""
    before: float
    """Its gain."""
    best: JudgedStep | None
    """The best setting; None when none passed."""
    steps: tuple[JudgedStep, ...]
    changing: tuple[str, ...]
    """The parameters that took more than one value, in the order they are declared."""

    @property
    def factor(self) -> float:
        """How much better the best setting is than the program that was tuned; 1 when none is better."""
        return max(1.0, (self.best.gain or 0.0) / self.before) if self.best is not None else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that the report shows of a run."""

    task: Task
    steps: tuple[JudgedStep, ...]
    best: Judged | None
    path: tuple[JudgedStep, ...]
    """From the first program to the best, in order."""
    yardstick: Yardstick
    abandoned: int
    tuning: Tuning | None = None
    refused: tuple[Judged, ...] = ()
    """What passed the screening and was refused in full."""


def tell(
    task: Task, yardstick: Yardstick, events: Sequence[Event], best: Judged | None, finals: Sequence[Judged] = ()
) -> Story:
    """The story of a run from its events; `finals` are its judgements in full."""
    proposals = {event.proposal.id: event.proposal for event in events if isinstance(event, Asked)}
    steps: list[JudgedStep] = []
    number_of: dict[str, int] = {}
    first: dict[str, int] = {}
    for event in events:
        if not isinstance(event, Judged):
            continue
        candidate, proposal = event.candidate, proposals.get(event.proposal_id)
        program, number = candidate.program_hash, len(steps) + 1
        tuned = proposal is not None and proposal.kind is ProposalKind.TUNE
        steps.append(
            JudgedStep(
                number=number,
                judged=event,
                kind=proposal.kind.value if proposal is not None else "",
                same_as=first.get(program) if program is not None else None,
                setting=json.loads(proposal.notes) if proposal is not None and tuned else None,
                parent_number=number_of.get(candidate.parent) if candidate.parent else None,
                gain=gain(event.verdict, yardstick),
            )
        )
        number_of.setdefault(candidate.id, number)
        if program is not None:
            first.setdefault(program, number)
    answered = sum(isinstance(event, Judged) for event in events)
    path = _path(steps, number_of, best)
    return Story(
        task=task,
        steps=tuple(steps),
        best=best,
        path=path,
        yardstick=yardstick,
        abandoned=len(proposals) - answered,
        tuning=_tuning(steps),
        refused=tuple(final for final in finals if not final.verdict.passed),
    )


def _tuning(steps: Sequence[JudgedStep]) -> Tuning | None:
    """What tuning came to; None where nothing was tuned."""
    tuned = tuple(step for step in steps if step.setting is not None)
    start = steps[tuned[0].parent_number - 1] if tuned and tuned[0].parent_number else None
    if start is None or start.gain is None:
        return None
    best = max((step for step in tuned if step.gain is not None), key=lambda step: step.gain or 0.0, default=None)
    settings = [step.setting or {} for step in tuned]
    changing = tuple(name for name in settings[0] if len({setting[name] for setting in settings}) > 1)
    return Tuning(start_number=start.number, before=start.gain, best=best, steps=tuned, changing=changing)


def gain(verdict: Verdict, yardstick: Yardstick) -> float | None:
    """How much less a passed candidate takes than the start of the yardstick; None where the verdict does not say."""
    if not verdict.passed:
        return None
    if yardstick.scale is Scale.MEASURED_US:
        return yardstick.start / verdict.time_us if verdict.time_us else None
    return yardstick.start / verdict.evidence.modelled_cost if verdict.evidence else None


def gain_title(story: Story) -> str:
    """What a gain is the ratio of."""
    if story.yardstick.scale is Scale.MODELLED:
        return f"Modelled cost of the {story.yardstick.start_name} version / of the candidate"
    return "Speed-up over the sequential code"


def headline(story: Story) -> str:
    """One line: what was gained, on what, against which baseline, measured or only verified."""
    return _headline(story) + _in_one_thread(story) + _independence(story) + _tuned(story)


def _in_one_thread(story: Story) -> str:
    """That the best program uses no parallelism, in a sentence; empty where it uses some."""
    if story.best is None or not runs_in_one_thread(story.best):
        return ""
    return f" Its main work runs in one thread, so it is no result: {_beside_one_core(story)}."


def _beside_one_core(story: Story) -> str:
    """How the best program's time compares with one CPU core, as a clause."""
    shapes = story.best.verdict.timing or () if story.best is not None else ()
    ratios = [ratio.value for shape in shapes if (ratio := shape.ratio("sequential")) is not None]
    if not ratios or any(value <= 0 for value in ratios):
        return "a GPU's single thread is slower than one CPU core, by how much was not measured"
    slower = 1.0 / min(ratios)
    if slower > 1.0:
        return f"measured, it is {slower:.1f} times slower than one CPU core"
    return f"measured, it is {min(ratios):.1f} times faster than one CPU core"


def _independence(story: Story) -> str:
    """How it is known that the best program's threads do not meet, in a sentence; empty where that is proved, or a model's word."""
    if story.best is None or story.best.candidate.independence is None:
        return ""
    return f" That its threads do not meet was {story.best.candidate.independence}."


def _tuned(story: Story) -> str:
    """What tuning gained, in a sentence; empty where nothing was tuned."""
    tuning = story.tuning
    if tuning is None or story.best is None:
        return ""
    count = sum(step.judged.verdict.status is not Status.SKIPPED for step in tuning.steps)
    tried = f" Tuning judged {count} setting{'' if count == 1 else 's'}"
    if tuning.best is None or tuning.factor < 1.005:
        return f"{tried} and found none better."
    if story.yardstick.scale is Scale.MEASURED_US:
        return f"{tried}: {tuning.factor:.2f} x faster than the program it began with, as screened."
    return f"{tried}: modelled cost {tuning.factor:.2f} x lower than that of the program it began with."


def _headline(story: Story) -> str:
    if story.best is None and story.refused:
        last = story.refused[-1].verdict
        return f"{story.task.id}: {len(story.refused)} passed the screening and none in full; {last.status}: {last.reason}."
    if story.best is None:
        return f"{story.task.id}: {_without_best(story.steps)}"
    verdict = story.best.verdict
    techniques = " -> ".join(story.best.candidate.techniques) or "no named technique"
    where = verdict.environment.device if verdict.environment else verdict.evaluator
    if verdict.timing is None:
        modelled = gain(verdict, story.yardstick)
        cost = ""
        if story.yardstick.start_name == WITHOUT_PLAIN and verdict.evidence is not None:
            cost = f", modelled cost {verdict.evidence.modelled_cost:.4g}, with no plain version to compare it with"
        elif modelled is not None:
            than = f"the {story.yardstick.start_name} version's"
            lower = f"{modelled:.2f} x lower than" if modelled >= 1.01 else "no lower than"
            cost = f", modelled cost {lower} {than}{_one_core(story.yardstick)}"
        how = "screened only, and not judged in full, on" if SCREENED_ONLY in verdict.labels else "verified on"
        return f"{story.task.id}: {how} {where} ({techniques}){cost}; no time was measured: {verdict.no_timing}."
    how = ", screened only" if SCREENED_ONLY in verdict.labels else ""
    return f"{story.task.id}: {_speedups(verdict)} on {where}, measured ({techniques}){how}."


def _without_best(steps: Sequence[JudgedStep]) -> str:
    """That nothing passed; where nothing was judged either, why the last answer was skipped."""
    if judged := sum(step.counts for step in steps):
        return f"no candidate passed in {judged} judged; the report shows why each was refused."
    skipped = [step.judged for step in steps if step.judged.candidate.chosen is None]
    return f"{NOTHING_JUDGED}: {skipped[-1].verdict.reason}" if skipped else f"{NOTHING_JUDGED}."


def _one_core(yardstick: Yardstick) -> str:
    """What the reference takes on a CPU, so that a gain over the plain version is not read as one over that."""
    if yardstick.one_core_us is None:
        return ""
    took = f"{yardstick.one_core_us:,.0f}".replace(",", " ")
    return f" (at {yardstick.one_core_at} the reference takes {took} us on one core of this machine; no cost is compared with that)"


def _speedups(verdict: Verdict) -> str:
    assert verdict.timing is not None
    shape = verdict.timing[-1]
    sizes = " ".join(f"{name}={value}" for name, value in shape.sizes.items())
    parts = [f"{r.value:.2f} x [{r.low:.2f}, {r.high:.2f}] against {r.against}" for r in shape.ratios]
    return (", ".join(parts) or f"{shape.candidate.median_us:.1f} us") + f" at {sizes}"


def _path(steps: Sequence[JudgedStep], number_of: dict[str, int], best: Judged | None) -> tuple[JudgedStep, ...]:
    if best is None or best.candidate.id not in number_of:
        return ()
    path: list[JudgedStep] = []
    number: int | None = number_of[best.candidate.id]
    while number is not None and len(path) <= len(steps):
        step = steps[number - 1]
        path.append(step)
        number = step.parent_number
    return tuple(reversed(path))


def refusals(story: Story) -> dict[str, int]:
    """How many candidates ended with each status other than PASSED."""
    found: dict[str, int] = {}
    for step in story.steps:
        status = step.judged.verdict.status
        if status is not Status.PASSED and step.judged.candidate.chosen is None:
            found[status.value] = found.get(status.value, 0) + 1
    return found
