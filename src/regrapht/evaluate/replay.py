"""Verdicts from a record: what a run is repeated with, or searches are studied on, without a compiler or a GPU."""

import platform
from collections.abc import Iterable
from dataclasses import replace

from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.evaluate.evaluator import Availability
from regrapht.evaluate.judgement.draft import PROTOCOL
from regrapht.evaluate.judgement.environment import cpu_name, tool_versions
from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, Yardstick
from regrapht.records.task import Task
from regrapht.records.verdict import Level, Verdict


class ReplayEvaluator:
    """Answers from recorded verdicts, found by task, level, and the candidate's id or the hash of its program.

    Verdicts keep the name of the evaluator that made them.

    Args:
        verdicts: Pairs of a candidate's id or program hash and a verdict; of several for one task and level the last counts.
        yardstick: What the recorded run measured speed with.
        environment: Where the verdicts were made, for records that do not keep it with each.
        task: The task that is asked for most, whose hash is then taken once: an answer takes microseconds.

    Raises:
        ConfigError: The verdicts were made under different protocols, which are never mixed.
    """

    name = "replay"

    def __init__(
        self,
        verdicts: Iterable[tuple[str, Verdict]],
        yardstick: Yardstick,
        *,
        environment: Environment | None = None,
        task: Task | None = None,
    ) -> None:
        self._environment = environment
        self._known_task = task
        self._known_hash = task.content_hash if task is not None else ""
        self._verdicts = {(key, verdict.task_hash, verdict.level): verdict for key, verdict in verdicts}
        self._yardstick = yardstick
        protocols = sorted({verdict.protocol for verdict in self._verdicts.values()})
        if len(protocols) > 1:
            raise ConfigError(
                f"the recorded verdicts follow different protocols ({', '.join(protocols)}): replay them apart"
            )
        self.protocol = protocols[0] if protocols else PROTOCOL

    def availability(self) -> Availability:
        """Always available."""
        return Availability(available=True)

    def environment(self) -> Environment:
        """That of the record, or of its verdicts where they agree on one, else this machine."""
        if self._environment is not None:
            return self._environment
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
        """The recorded yardstick.

        Raises:
            EvaluatorUnavailable: Nothing was recorded on this task.
        """
        if all(task_hash != task.content_hash for _, task_hash, _ in self._verdicts):
            raise EvaluatorUnavailable(f"no verdict is recorded on {task.id} as it is now")
        return self._yardstick

    def evaluate(self, task: Task, candidate: Candidate, *, level: Level) -> Verdict:
        """The recorded verdict, with this candidate's id where it was recorded for another text of the same program.

        Raises:
            EvaluatorUnavailable: None was recorded for this candidate on this task at this level.
        """
        task_hash, candidate_id = self._hash_of(task), candidate.id
        for key in (candidate_id, candidate.program_hash):
            verdict = None if key is None else self._verdicts.get((key, task_hash, level))
            if verdict is not None:
                return verdict if verdict.candidate_id == candidate_id else replace(verdict, candidate_id=candidate_id)
        raise EvaluatorUnavailable(
            f"no verdict of level {level.value} is recorded for candidate {candidate_id[:12]} on {task.id}"
        )

    def _hash_of(self, task: Task) -> str:
        """The task's hash; taking it anew takes longer than all the rest."""
        return self._known_hash if task is self._known_task else task.content_hash
