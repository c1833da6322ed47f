"""Judging one file of a user's."""

from pathlib import Path

from regrapht.assemble import open_evaluator, open_task
from regrapht.errors import ConfigError
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.verdict import Verdict
from regrapht.session.launch import read_level
from regrapht.source.program_hash import program_hash


def check_file(
    task: Path, file: Path, *, entry: str | None, evaluator: str | None, level: str, allow_root: bool
) -> Verdict:
    """The verdict on the candidate in `file` for the task at `task`.

    Raises:
        UserFixable: The task, the file or an option is wrong.
        EvaluatorUnavailable: Nothing on this machine can judge it.
    """
    wanted = read_level(level)
    opened = open_task(task, entry=entry)
    try:
        source = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {file}: {error}; give a UTF-8 .cu file") from error
    judge = open_evaluator(evaluator, allow_root=allow_root)
    judge.prepare(opened.task, None)
    candidate = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="file", seconds=0.0))
    return judge.evaluate(opened.task, candidate, level=wanted)
