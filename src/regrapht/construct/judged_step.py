"""One step of a trajectory beside what the judge said of it, and the speed-up that follows from two such verdicts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.construct.corpus import CorpusTrajectory
from regrapht.construct.verdict_file import VERDICTS_FILE, ShapeSummary, StepVerdict, read_verdicts
from regrapht.errors import UserFixable
from regrapht.records.technique import INIT, Transition
from regrapht.records.verdict import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedStep:
    """A labelled step between two programs."""

    transition: Transition | None
    """None where the step's label is unknown."""
    before: str
    after: str
    rationale: str
    detail: str
    verdicts: tuple[StepVerdict, ...]
    earlier: tuple[StepVerdict, ...]
    """The verdicts of the program before; empty for the sequential one."""

    @property
    def status(self) -> Status:
        """PASSED only if an evaluator passed it and none refused it; UNSUPPORTED if none could judge it."""
        answers = [verdict.status for verdict in self.verdicts if verdict.is_answer]
        failures = [status for status in answers if status is not Status.PASSED]
        return (failures or answers or [Status.UNSUPPORTED])[0]

    def measured_speedup(self) -> tuple[float, str] | None:
        """Speed-up and device by the first evaluator, in the order of their names, that timed both programs."""
        for verdict in sorted(self.verdicts, key=lambda verdict: verdict.evaluator):
            speedup = self.speedup(verdict) if verdict.passed else None
            if speedup is not None and verdict.environment is not None:
                return speedup, verdict.environment.device
        return None

    def speedup(self, verdict: StepVerdict) -> float | None:
        """Geometric mean over the shapes of time before / time after, both of one evaluator on one device; None when not timed.

        The program before the first step is the sequential reference, which the judge times beside the candidate.
        """
        after = {_shape(timing): timing for timing in verdict.timing or ()}
        if not self.earlier:
            sequential = [timing for timing in after.values() if "sequential" in timing.baselines]
            pairs = [(timing.baselines["sequential"], timing.candidate) for timing in sequential]
        else:
            same = [old for old in self.earlier if _is_comparable(old, verdict)]
            before = {_shape(timing): timing for old in same for timing in old.timing or ()}
            pairs = [(before[shape].candidate, after[shape].candidate) for shape in after if shape in before]
        if not pairs:
            return None
        return math.prod(old.median_us / new.median_us for old, new in pairs) ** (1 / len(pairs))


def judged_steps(item: CorpusTrajectory, slugs: Sequence[str | None], corpus: Path) -> list[JudgedStep]:
    """The steps of a trajectory with the verdicts on file; `slugs` are their labels, None for one that the vocabulary does not know.

    Raises:
        UserFixable: A step has no verdict for its present text; the message names the file and the command.
        SchemaError: The file of verdicts is damaged.
    """
    on_file = read_verdicts(item.folder)
    task_hash = item.task.content_hash
    last, before = INIT, item.task.reference.source.text
    earlier: tuple[StepVerdict, ...] = ()
    found = []
    for step, file, slug in zip(item.trajectory.steps, item.files, slugs, strict=True):
        verdicts = tuple(verdict for verdict in on_file if verdict.file == file)
        _refuse_untrusted(verdicts, item, corpus, file=file, code=step.code, task_hash=task_hash)
        judged = JudgedStep(
            transition=None if slug is None else Transition(last, slug),
            before=before,
            after=step.code,
            rationale=step.think,
            detail=step.detail,
            verdicts=verdicts,
            earlier=earlier,
        )
        found.append(judged)
        last, before, earlier = slug or last, step.code, verdicts
    return found


def _refuse_untrusted(
    verdicts: Sequence[StepVerdict], item: CorpusTrajectory, corpus: Path, *, file: str, code: str, task_hash: str
) -> None:
    stale = [verdict for verdict in verdicts if not verdict.is_of(code, task_hash)]
    if verdicts and not stale:
        return
    changed = (
        "the program or its task changed since it was judged" if stale else f"{VERDICTS_FILE} holds no verdict on it"
    )
    raise UserFixable(f"{item.folder / file}: {changed}; run `regrapht graph verify {corpus}` to judge it")


def _is_comparable(old: StepVerdict, new: StepVerdict) -> bool:
    """Whether two programs were timed by one evaluator on one device with the same tools; clock rates move by themselves."""
    if old.environment is None or new.environment is None:
        return False
    is_one_judge = (old.evaluator, old.protocol) == (new.evaluator, new.protocol)
    return (
        is_one_judge
        and old.environment.device == new.environment.device
        and old.environment.tools == new.environment.tools
    )


def _shape(timing: ShapeSummary) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(timing.sizes.items()))
