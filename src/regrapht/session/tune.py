"""Tuning a program that its author brings along: a run whose search asks for that one program, and then for its settings."""

from dataclasses import replace
from pathlib import Path

from regrapht.assemble import open_task
from regrapht.errors import ConfigError
from regrapht.propose.given import NAME as GIVEN
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.run import Budget, RunOptions
from regrapht.records.task import Task
from regrapht.session.launch import Launched, launch
from regrapht.session.refusal import naming_file
from regrapht.session.transform import TransformRequest, read_text, transform_task
from regrapht.source.program_hash import program_hash
from regrapht.tune.opening import CannotOpen
from regrapht.tune.sampler import require_optuna
from regrapht.tune.tuned_proposer import open_up


def launch_tuning(
    path: Path, file: Path, options: RunOptions, *, allow_root: bool = False, force: bool = False
) -> Launched:
    """Open a run that tunes the program in `file` for the task at `path`.

    Args:
        file: CUDA with `// tune:` lines, or a `.json` file with decisions of the transform engine.
        options: `tune` says how many settings are judged; the search, its budget and the proposer are tuning's own.

    Raises:
        UserFixable: The task or the file is wrong, or the file leaves nothing open; nothing was recorded.
        Unavailable: A tool or a service is missing here.
    """
    require_optuna()
    task = open_task(path, entry=options.entry, flags=options.flags).task
    candidate = _candidate(path, file, task)
    try:
        with naming_file(path, task):
            open_up(task, candidate)
    except CannotOpen as error:
        raise ConfigError(
            f"{file}: nothing to tune: {error}; declare a parameter beside its definition, such as "
            "'#define TILE 16  // tune: TILE = 8 | 16 | 32', or give the decisions.json of the run that wrote it"
        ) from error
    one_program = replace(
        options, search="direct", budget=Budget(candidates=1), proposer=GIVEN, given=candidate, given_file=file
    )
    return launch(path, one_program, allow_root=allow_root, force=force)


def _candidate(path: Path, file: Path, task: Task) -> Candidate:
    if file.suffix == ".json":
        return transform_task(task, TransformRequest(path=path, decisions=file)).candidate
    source = read_text(file)
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer=GIVEN, seconds=0.0))
