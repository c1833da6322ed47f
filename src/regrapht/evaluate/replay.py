"""Verdicts from a record: what a run is repeated with, without a compiler or a GPU."""

import platform
from collections.abc import Mapping

from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.draft import PROTOCOL
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.machine import cpu_name, tool_versions
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict


class ReplayEvaluator:
    """Answers from recorded verdicts, found by the candidate's id or by the hash of its program.

    Args:
        verdicts: Candidate id or program hash -> verdict.
        yardstick: What the recorded run measured speed with.
    """

    name = "replay"
    protocol = PROTOCOL

    def __init__(self, verdicts: Mapping[str, Verdict], yardstick: Yardstick) -> None:
        self._verdicts, self._yardstick = dict(verdicts), yardstick

    def availability(self) -> Availability:
        """Always available."""
        return Availability(available=True)

    def environment(self) -> Environment:
        """That of the recorded verdicts where they agree on one, else this machine."""
        recorded = {v.environment.device: v.environment for v in self._verdicts.values() if v.environment is not None}
        if len(recorded) == 1:
            return next(iter(recorded.values()))
        return Environment(
            device=f"replay ({platform.machine()})",
            architecture="replay",
            cpu=cpu_name(),
            tools=tool_versions(),
            clocks={},
        )

    def prepare(self, task: Task, plain: Candidate | None) -> Yardstick:
        """The recorded yardstick."""
        return self._yardstick

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """The recorded verdict.

        Raises:
            EvaluatorUnavailable: None was recorded for this candidate on this task.
        """
        for key in (candidate.id, candidate.program_hash):
            verdict = self._verdicts.get(key) if key is not None else None
            if verdict is not None and verdict.task_hash == task.content_hash:
                return verdict
        raise EvaluatorUnavailable(f"no verdict is recorded for candidate {candidate.id[:12]} on {task.id}")
