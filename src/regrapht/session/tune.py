"""Tuning a program that its author brings along: a run whose search asks for that one program, and then for its settings."""

from dataclasses import dataclass
from pathlib import Path

from regrapht.assemble import open_task
from regrapht.errors import ConfigError
from regrapht.propose.given import NAME as GIVEN
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.run import Budget
from regrapht.records.task import Task
from regrapht.session.launch import Launched, Request, launch
from regrapht.session.refusal import naming_file
from regrapht.session.transform import TransformRequest, read_text, transform_task
from regrapht.source.program_hash import program_hash
from regrapht.tune.opening import CannotOpen, open_up
from regrapht.tune.sampler import require_optuna


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneRequest:
    """What a user asks for."""

    path: Path
    file: Path
    """CUDA with `// tune:` lines, or a `.json` file with decisions of the transform engine."""
    budget: int
    entry: str | None = None
    evaluator: str | None = None
    level: str = "screen"
    seed: int = 0
    workers: int = 1
    allow_root: bool = False


def launch_tuning(request: TuneRequest, *, out: Path | None = None) -> Launched:
    """Open a run that tunes `request.file`.

    Raises:
        UserFixable: The task or the file is wrong, or the file leaves nothing open; nothing was recorded.
        Unavailable: A tool or a service is missing here.
    """
    require_optuna()
    task = open_task(request.path, entry=request.entry).task
    candidate = _candidate(request, task)
    try:
        with naming_file(request.path, task):
            open_up(task, candidate)
    except CannotOpen as error:
        raise ConfigError(
            f"{request.file}: nothing to tune: {error}; declare a parameter beside its definition, such as "
            "'#define TILE 16  // tune: TILE = 8 | 16 | 32'"
        ) from error
    return launch(
        Request(
            path=request.path,
            budget=Budget(candidates=1),
            entry=request.entry,
            search="direct",
            proposer=GIVEN,
            evaluator=request.evaluator,
            level=request.level,
            seed=request.seed,
            workers=request.workers,
            allow_root=request.allow_root,
            tune=request.budget,
            given=candidate,
            given_file=request.file,
        ),
        out=out,
    )


def _candidate(request: TuneRequest, task: Task) -> Candidate:
    if request.file.suffix == ".json":
        return transform_task(task, TransformRequest(path=request.path, decisions=request.file)).candidate
    source = read_text(request.file)
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer=GIVEN, seconds=0.0))
