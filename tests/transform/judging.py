"""Candidates of the transform engine before the judge: a small function in, the verdict of the emulated evaluator out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.source.program_hash import program_hash
from regrapht.tasks.infer import infer_task
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import choices, reason_against
from regrapht.transform.rules.decisions import Decision


def first_now(cases: Sequence[object], count: int) -> list[object]:
    """The first cases in CI, the others in the long suite."""
    wrapped = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [*cases[:count], *(pytest.param(*case, marks=pytest.mark.slow) for case in wrapped[count:])]


def steps(engine: Engine, task: Task, slugs: Sequence[str], setting: int = 0) -> tuple[Decision, ...]:
    """The plain mapping and then the techniques `slugs`, each with the setting of that number."""
    decisions: tuple[Decision, ...] = ()
    for slug in ["map_to_threads", *slugs]:
        program = engine.program(task, decisions)
        found = choices(program, BY_SLUG[slug])
        assert found, f"after {[str(d) for d in decisions]}: {reason_against(program, BY_SLUG[slug])}"
        decisions = (*decisions, found[setting % len(found)].decision)
    return decisions


@dataclass
class Judging:
    """Tasks from texts, programs from techniques, verdicts at the judge's full level."""

    evaluator: EmulatedEvaluator
    folder: Path
    count: int = 0

    def task(self, text: str) -> Task:
        self.count += 1
        path = self.folder / f"function_{self.count}.cpp"
        path.write_text(text)
        return infer_task(path).task

    def source(self, task: Task, slugs: Sequence[str], setting: int = 0) -> str:
        engine = Engine()
        return engine.text(task, steps(engine, task, slugs, setting))

    def refusal(self, task: Task, slugs: Sequence[str], last: str) -> str | None:
        """Why `last` does not apply after `slugs`; None when it does."""
        engine = Engine()
        return reason_against(engine.program(task, steps(engine, task, slugs)), BY_SLUG[last])

    def faults(self, task: Task, source: str, level: Level = Level.FULL) -> str:
        """Empty where the judge accepts the program without any error or warning of the compiler; otherwise what is wrong.

        What is timed, and so emulated once more, is no larger than what is checked.
        """
        task = replace(task, bench_sizes=task.check_sizes[-1:])
        candidate = Candidate(
            source=source, program_hash=program_hash(source), origin=Origin(proposer="test", seconds=0.0)
        )
        verdict = self.evaluator.evaluate(task, candidate, level=level)
        return "" if verdict.passed else f"{verdict.status}: {verdict.reason}\n{source}"
