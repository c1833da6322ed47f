"""Whether programs that were best once still build for other architectures and with other toolkits, and still pass where there is a GPU."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from regrapht.bench.admit.solutions import fastest_step, read_solution
from regrapht.bench.experiment.results import CellResult
from regrapht.bench.suite import Suite
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.build.nvcc import Nvcc, compiles, find_nvcc, version
from regrapht.evaluate.evaluator import Evaluator
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Command, Limits, Sandbox
from regrapht.source.program_hash import program_hash

OLDEST = 75
"""Turing: the oldest that nvcc 13 compiles for."""
_PLACES = ("/usr/local/cuda-*/bin/nvcc", "/opt/cuda*/bin/nvcc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that was the best of its maker at a task."""

    task: Task
    maker: str
    """A method, or `trajectory`."""
    source: str

    @property
    def name(self) -> str:
        return f"{self.task.id} by {self.maker}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """A compiler and what it compiles for."""

    nvcc: Nvcc
    version: str
    architectures: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a program with one toolkit for one architecture."""

    task: str
    maker: str
    toolkit: str
    architecture: str
    passed: bool
    judged: bool
    """Whether a GPU judged it; else it was compiled alone."""
    reason: str
    time_us: float | None = None


def best_steps(suite: Suite, solutions: Path) -> list[Program]:
    """Of each trajectory the fastest step that a GPU timed, or the last one where none did."""
    found = []
    for task in suite.tasks:
        timed, steps = fastest_step(solutions, task.task), read_solution(solutions, task.task.id)
        if steps:
            step = timed.step if timed is not None else steps[-1]
            found.append(Program(task=task.task, maker="trajectory", source=step.source))
    return found


def best_programs(suite: Suite, cells: Iterable[CellResult]) -> list[Program]:
    """Of each method at each task of the suite the fastest delivered program that the file of results holds."""
    tasks = {task.task.id: task.task for task in suite.tasks}
    best: dict[tuple[str, str], CellResult] = {}
    for cell in cells:
        if cell.task_id in tasks and cell.passed and cell.program is not None:
            known = best.setdefault((cell.task_id, cell.method), cell)
            if (cell.figure or 0.0) < (known.figure or 0.0):
                best[cell.task_id, cell.method] = cell
    return [
        Program(task=tasks[id], maker=method, source=cell.program or "") for (id, method), cell in sorted(best.items())
    ]


def toolkits(sandbox: Sandbox, named: Sequence[Path] = (), architectures: Sequence[str] = ()) -> list[Toolkit]:
    """The CUDA compiler at hand, those in the usual folders, the wheels of this Python and those that are named, each version once.

    Args:
        architectures: Compile for these alone, as far as a compiler knows them; by default for all that it knows from sm_75 on.
    """
    at_hand = find_nvcc()
    paths = [*named, *([] if at_hand is None else [at_hand.path])]
    for pattern in _PLACES:
        paths += sorted(Path("/").glob(pattern.lstrip("/")))
    for folder in {Path(place) for place in _site_folders()}:
        paths += sorted(folder.glob("nvidia/*/bin/nvcc"))
    found: dict[str, Toolkit] = {}
    for path in dict.fromkeys(path.resolve() for path in paths):
        nvcc = Nvcc(path=path, root=path.parent.parent)
        release = version(sandbox, nvcc)
        if release not in found:
            known = _known_architectures(sandbox, nvcc)
            wanted = tuple(name for name in architectures if name in known) if architectures else known
            found[release] = Toolkit(nvcc=nvcc, version=release, architectures=wanted)
    return list(found.values())


def _site_folders() -> list[str]:
    import site

    return [*site.getsitepackages(), site.getusersitepackages()]


def _known_architectures(sandbox: Sandbox, nvcc: Nvcc) -> tuple[str, ...]:
    command = Command(argv=(str(nvcc.path), "--list-gpu-arch"), read_only=(nvcc.root,))
    done = sandbox.run(command, Limits(wall_s=20, output_bytes=2**16))
    numbers = sorted({int(found) for found in re.findall(r"compute_(\d+)\b", done.stdout)})
    if not numbers:
        raise EvaluatorUnavailable(f"{nvcc.path} --list-gpu-arch names no architecture: {done.stderr.strip()[:200]}")
    return tuple(f"sm_{number}" for number in numbers if number >= OLDEST)


def examine(
    programs: Sequence[Program],
    kits: Sequence[Toolkit],
    *,
    sandbox: Sandbox,
    evaluator: Evaluator | None,
    workers: int,
    observer: Callable[[Outcome, int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> list[Outcome]:
    """Compile every program with every toolkit for each of its architectures; `evaluator`, of a GPU, judges each besides.

    Those that `stop` came before are left out.
    """
    stop = stop or threading.Event()
    jobs: list[Callable[[], Outcome]] = [
        _compiling(program, kit, architecture, sandbox)
        for program in programs
        for kit in kits
        for architecture in kit.architectures
    ]
    if evaluator is not None:
        jobs += [_judging(program, evaluator) for program in programs]

    def work(job: Callable[[], Outcome]) -> Outcome | None:
        return None if stop.is_set() else job()

    found: list[Outcome] = []
    with ThreadPoolExecutor(workers, thread_name_prefix="stability") as pool:
        for outcome in pool.map(work, jobs):
            if outcome is not None:
                found.append(outcome)
                if observer is not None:
                    observer(outcome, len(found), len(jobs))
    return found


def shares(outcomes: Iterable[Outcome]) -> Mapping[tuple[str, str, bool], tuple[int, int]]:
    """By toolkit, architecture and whether a GPU judged: how many passed, and of how many."""
    found: dict[tuple[str, str, bool], tuple[int, int]] = {}
    for outcome in outcomes:
        key = outcome.toolkit, outcome.architecture, outcome.judged
        passed, of = found.get(key, (0, 0))
        found[key] = passed + outcome.passed, of + 1
    return found


def _compiling(program: Program, kit: Toolkit, architecture: str, sandbox: Sandbox) -> Callable[[], Outcome]:
    def job() -> Outcome:
        built = compiles(program.source, sandbox, kit.nvcc, architecture=architecture)
        return Outcome(
            task=program.task.id,
            maker=program.maker,
            toolkit=kit.version,
            architecture=architecture,
            passed=built.content is not None,
            judged=False,
            reason="" if built.content is not None else built.first_error,
        )

    return job


def _judging(program: Program, evaluator: Evaluator) -> Callable[[], Outcome]:
    def job() -> Outcome:
        origin = Origin(proposer="file", seconds=0.0)
        candidate = Candidate(source=program.source, program_hash=program_hash(program.source), origin=origin)
        evaluator.prepare(program.task, candidate)
        verdict = evaluator.evaluate(program.task, candidate, level=Level.SCREEN)
        environment = evaluator.environment()
        return Outcome(
            task=program.task.id,
            maker=program.maker,
            toolkit=environment.tools.get("nvcc", "unknown"),
            architecture=environment.architecture,
            passed=verdict.passed,
            judged=True,
            reason="" if verdict.passed else f"{verdict.status.value}: {verdict.reason}",
            time_us=verdict.time_us,
        )

    return job
