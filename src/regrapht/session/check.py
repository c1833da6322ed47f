"""Judging one file of a user's, and examining a task."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import open_evaluator, open_task
from regrapht.errors import ConfigError
from regrapht.evaluate.admission.admit import admit_task
from regrapht.evaluate.admission.findings import Admission
from regrapht.evaluate.cases.bench_pools import forget_pools
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Level, Verdict
from regrapht.sandbox.choose import choose
from regrapht.source.program_hash import program_hash


def check_file(
    task: Path, file: Path, *, entry: str | None, evaluator: str | None, level: Level, allow_root: bool
) -> Verdict:
    """The verdict on the candidate in `file` for the task at `task`.

    Raises:
        UserFixable: The task, the file or an option is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    opened = open_task(task, entry=entry)
    source = read_candidate(file)
    judge = open_evaluator(evaluator, allow_root=allow_root)
    judge.prepare(opened.task, None)
    candidate = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="file", seconds=0.0))
    return judge.evaluate(opened.task, candidate, level=level)


def read_candidate(file: Path) -> str:
    """The text of a user's program.

    Raises:
        ConfigError: It cannot be read, or is no UTF-8.
    """
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {file}: {error}; give a UTF-8 .cu file") from error


def redraw_pools(task: Path, *, entry: str | None) -> None:
    """Forget the secret inputs and outputs that this machine keeps for the task's bench shapes: the next judgement draws new ones."""
    forget_pools(open_task(task, entry=entry).task)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedTask:
    """The examination of a task, and what was guessed where it was inferred from a bare function."""

    admission: Admission
    guesses: tuple[str, ...]


def examine_task(task: Path, *, entry: str | None, allow_root: bool) -> ExaminedTask:
    """Whether verdicts on the task at `task` would mean something.

    Raises:
        UserFixable: The task is wrong, or its reference does not build or run: there is nothing to examine.
        EvaluatorUnavailable: The sandbox does not start here.
    """
    opened = open_task(task, entry=entry)
    admission = admit_task(opened.task, choose(allow_root=allow_root).sandbox)
    return ExaminedTask(admission=admission, guesses=opened.guesses)
