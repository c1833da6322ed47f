"""Run and compare, then admit: the kernel is a candidate of its own task, judged like any other, and the task is examined."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from regrapht.bench.admit.admission import admit_suite
from regrapht.bench.harvest.describe import PROGRAM, REFERENCE, TOMLS
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.suite import Suite, SuiteTask
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.sandbox import Sandbox
from regrapht.source.program_hash import program_hash
from regrapht.store.blobs import write_atomically
from regrapht.store.database import make_folder
from regrapht.tasks.load import load_task

TASKS, SOLUTIONS = "tasks", "solutions"
FIRST_STEP = "01_map_to_threads.cu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A task that is not admitted yet."""

    id: str
    toml: str
    reference: str
    program: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it is, in order."""
        return self.id, self.toml, self.reference, self.program

    def write(self, folder: Path) -> None:
        """Put its files into a folder, the one that makes it a task last."""
        make_folder(folder)
        for name, text in ((REFERENCE, self.reference), (PROGRAM, self.program), ("task.toml", self.toml)):
            write_atomically(folder / name, text.encode())


def drafts_of(made: Mapping[str, str]) -> tuple[Draft, ...]:
    """The drafts of a described kernel, the likeliest first: they differ in the roles of arrays that are only written."""
    tomls = [made[name] for name in TOMLS if name in made]
    return tuple(
        Draft(id=made["id"], toml=toml, reference=made["reference"], program=made["program"]) for toml in tomls
    )


def compare(draft: Draft, folder: Path, evaluator: Evaluator, level: Level) -> None:
    """Judge the kernel against the sequential version.

    Raises:
        Dropped: The judge's status in lower case: `wrong_value`, `out_of_bounds`, `race` ...
        TaskError, InvalidTask: The description makes no sense, or the sequential version does not build or end.
        EvaluatorUnavailable: The machine's fault.
    """
    draft.write(folder)
    verdict = evaluator.evaluate(load_task(folder), _candidate(draft.program), level=level)
    if verdict.status is not Status.PASSED:
        raise Dropped(verdict.status.value.lower(), verdict.reason)


def admit(draft: Draft, folder: Path, *, evaluator: Evaluator, sandbox: Sandbox, level: Level) -> str:
    """Examine the task; the tier that its one step earns, or an empty text.

    Raises:
        Dropped: The rule of the first objection, such as `ignored_input`.
        EvaluatorUnavailable: The machine's fault.
    """
    draft.write(folder)
    solutions = folder / SOLUTIONS
    make_folder(solutions / draft.id)
    write_atomically(solutions / draft.id / FIRST_STEP, draft.program.encode())
    task = SuiteTask(task=load_task(folder), folder=folder, tier=None)
    suite = Suite(name=draft.id, root=folder, tasks=(task,))
    examined = admit_suite(suite, sandbox=sandbox, evaluator=evaluator, solutions=solutions, level=level, workers=1)[0]
    if examined.objections:
        rule, _, said = examined.objections[0].partition(": ")
        raise Dropped(rule if rule.isidentifier() else "objection", said or rule)
    return examined.tier.tier if examined.tier else ""


def place(draft: Draft, out: Path) -> None:
    """Put an admitted task into the suite, its trajectory first: a task there always has one."""
    folder = out / SOLUTIONS / draft.id
    make_folder(folder)
    write_atomically(folder / FIRST_STEP, draft.program.encode())
    draft.write(out / TASKS / draft.id)


def _candidate(source: str) -> Candidate:
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="file", seconds=0.0))
