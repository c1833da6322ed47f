"""What an experiment leaves: one file of lines, the experiment first and then one line a finished cell, that any machine can render.

A cell is one method at one task with one seed. Lines are appended as cells finish, each on the disk before the next is begun, so that a
kill loses at most what was in hand; a last line that was cut off is dropped when the file is opened again.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, TypeVar

from regrapht.bench.experiment.method import Method
from regrapht.bench.metrics import Sample
from regrapht.errors import ConfigError, SchemaError, UnknownName
from regrapht.records.encoding import from_json, to_json
from regrapht.records.measurement import Environment, Scale
from regrapht.records.reach import Reached
from regrapht.records.run import Budget
from regrapht.search.reward import earned
from regrapht.source.user_file import fault_of_text
from regrapht.store.line_file import LineFile
from regrapht.wording import did_you_mean

SCHEMA_VERSION = 1
RESULTS = "results.jsonl"
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRef:
    """A task of an experiment, by name and content."""

    id: str
    content_hash: str
    family: str
    tier: str | None
    inside_engine: bool
    """Whether the transform engine has a program with threads; shares are reported with and without the tasks for which it has none."""
    reached: Reached | None = field(default=None, compare=False)
    """How: proved, observed, promised, serial or refused; None in files from before that was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is compared on what, and with which judge; any change makes it another experiment."""

    suite: str
    tasks: tuple[TaskRef, ...]
    methods: tuple[str, ...]
    proposer: str
    model: str | None
    seeds: int
    budget: Budget
    level: str
    evaluator: str
    protocol: str
    environment: Environment
    graph_hash: str
    hide_family: bool
    mend: bool | None = None
    """Whether faults of form in a model's replies were mended; None without a model."""
    repair: bool = True
    """Whether searches could ask for repairs."""
    choice_weight: float | None = None
    """The weight of a model's choice among techniques; None without a model that was asked to choose."""
    parts: tuple[Method, ...] = ()
    """What each method is made of; empty where all are searches with the experiment's proposer, model and our prompts."""
    pack_hash: str | None = None
    """Of the pack that `suite` names; None of a suite as it lay there."""
    judge: str | None = None
    """Hash of the judge's own code, as in published verdicts; None in files from before it was kept."""
    version: str
    command: str
    created: str
    """UTC, ISO 8601."""
    schema_version: int = SCHEMA_VERSION

    @property
    def asks_models(self) -> bool:
        """Whether any method asks one."""
        return any(method.model is not None for method in self.made_of)

    @property
    def made_of(self) -> tuple[Method, ...]:
        """Every method with its parts, in order."""
        if self.parts:
            return self.parts
        return tuple(Method(name=name, search=name, proposer=self.proposer, model=self.model) for name in self.methods)

    @property
    def cell_count(self) -> int:
        """How many cells it has when it is finished."""
        return len(self.tasks) * len(self.methods) * self.seeds

    _CIRCUMSTANCES: ClassVar[frozenset[str]] = frozenset({"suite", "environment", "command", "created", "judge"})

    def differences(self, other: "Experiment") -> dict[str, str]:
        """What differs and matters, by name: how it is here and there.

        The suite's path, whose tasks count by content, the machine's clocks, the command's wording and the date do not matter.
        """
        names = [name for name in self.__dataclass_fields__ if name[0] != "_" and name not in self._CIRCUMSTANCES]
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in names}
        pairs["device"] = self.environment.device, other.environment.device
        found = {name: f"{_shown(here)} and {_shown(there)}" for name, (here, there) in pairs.items() if here != there}
        if "tasks" in found:
            found["tasks"] = _first_difference(self.tasks, other.tasks)
        return found


def told(differences: Mapping[str, str]) -> str:
    """`Experiment.differences` in words."""
    return "; ".join(f"{name}: {how}" for name, how in differences.items())


def _shown(value: object) -> str:
    return ", ".join(map(_name_of, value)) if isinstance(value, tuple) else str(value)


def _name_of(part: object) -> str:
    if not isinstance(part, Method):
        return str(part)
    made = (part.search, part.proposer, part.model, part.prompts_hash and f"prompts {part.prompts_hash[:8]}")
    return f"{part.name} ({', '.join(filter(None, made))})"


def _first_difference(here: Sequence[TaskRef], there: Sequence[TaskRef]) -> str:
    ones, others = ({task.id: task for task in tasks} for tasks in (here, there))
    if apart := sorted(ones.keys() ^ others.keys()):
        return f"{len(here)} and {len(there)}, {apart[0]} in one of them alone"
    changed = [id for id in ones if ones[id] != others[id]]
    return f"{changed[0]} is not the same in both" if changed else "in another order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """A new best while searching."""

    judged: int
    """Judged candidates by then, this one counted."""
    tokens: int
    seconds: float
    """Since the cell began."""
    reward: float
    figure: float | None
    """Time in microseconds or modelled cost, on the cell's scale; None when the program was not timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """What one method came to at one task with one seed."""

    method: str
    task_id: str
    seed: int
    built: bool
    """Whether any candidate was built."""
    passed: bool
    """Whether a best program passed the judgement in full."""
    status: str | None
    """Of the last judgement in full; None when nothing passed while searching."""
    techniques: tuple[str, ...]
    scale: Scale
    start: float
    floor: float
    """The yardstick: what earns a reward of 0 and of 1."""
    figure: float | None
    """Of the best program judged in full, on that scale."""
    speedups: Mapping[str, float]
    """By baseline: the geometric mean over bench shapes. Empty where nothing was measured."""
    floor_fraction: float | None
    """Fraction of the speed of light, geometric mean over bench shapes; only measured ones."""
    improvements: tuple[Improvement, ...]
    judged: int
    proposals: int
    tokens: int
    usd: float
    seconds: float
    judge_seconds: float
    one_core_us: float | None = None
    """Measured, beside modelled costs: the reference on one core of the machine that judged."""
    statuses: Mapping[str, int]
    """How often each status was given while searching, skipped proposals included."""
    mended: Mapping[str, int] = field(default_factory=dict)
    """How many of a model's replies each mend of form changed, and under `any` how many any did."""
    replies: Mapping[str, int] | None = None
    """The statuses of a model's replies alone, choices left out; None in files from before they were told apart."""
    choices: int = 0
    """How often a model was asked to choose among techniques."""
    judged_by: Mapping[str, int] = field(default_factory=dict)
    """`judged` by who wrote the candidate."""
    passed_by: Mapping[str, int] = field(default_factory=dict)
    """Those of them that passed while searching."""
    written_by: tuple[str, ...] = ()
    """Who wrote the programs on the way to the delivered one, in order."""
    labels: tuple[str, ...]
    reason: str
    """How the search ended."""
    run: str
    """Its id in the experiment's store."""
    program: str | None = None
    """The delivered program, so that others can judge it; None where none passed, and in files from before it was kept."""
    seal: str | None = field(default=None, compare=False)
    """Hash of all the rest and of the file's line before, put on when the cell is written down; None in files from before it was."""

    def sealed(self, before: str = "") -> "CellResult":
        """The cell with the seal that belongs to it behind the line `before`, which is sealed so too, and the experiment's own with it.

        Without a line: the seal of a cell alone, which an earlier version put on.
        """
        bare = from_json(CellResult, to_json(replace(self, seal=None)))  # numbers as they are read again
        return replace(bare, seal=hashlib.sha256((before + to_json(bare)).encode()).hexdigest())

    @property
    def key(self) -> tuple[str, str, int]:
        return self.method, self.task_id, self.seed

    @property
    def name(self) -> str:
        return f"{self.method} at {self.task_id} with seed {self.seed}"

    def sample(self, baseline: str) -> Sample:
        """For the metrics, with the speed-up over `baseline`."""
        return Sample(
            built=self.built, passed=self.passed, speedup=self.speedups.get(baseline) if self.passed else None
        )

    @property
    def reward(self) -> float:
        """Of the program that the run delivers, by its judgement in full; 0 where none passed."""
        return earned(self.figure, start=self.start, floor=self.floor) if self.passed else 0.0

    def reward_at(self, judged: int) -> float:
        """The best reward while searching, within so many judged candidates; 0 before anything passed."""
        return max((step.reward for step in self.improvements if step.judged <= judged), default=0.0)


class ResultFile:
    """An experiment's file, open for appending. Until it is closed nobody else can open it."""

    def __init__(self, path: Path, experiment: Experiment) -> None:
        """Open `path`, or begin it. An experiment of fewer seeds is gone on with: its cells are the first of this one's.

        Raises:
            ConfigError: It holds another experiment; the message says what differs. It is open already, or cannot be written.
            SchemaError: It is damaged.
        """
        self.path = path
        with ExitStack() as undo:
            self._file = undo.enter_context(LineFile(path, is_head=_begins_an_experiment, writer="regrapht bench run"))
            self.experiment, self.done = self._begin(experiment)
            undo.pop_all()

    def _begin(self, experiment: Experiment) -> tuple[Experiment, set[tuple[str, str, int]]]:
        if not self._file.lines:
            self._last = to_json(experiment)
            self._file.replace([self._last])
            return experiment, set()
        before, cells = read_results(self.path)
        self._last = self._file.lines[-1].decode()
        if before.seeds < experiment.seeds and before.differences(experiment).keys() == {"seeds"}:
            if (edited := first_edited(self.path, cells)) is not None:
                raise ConfigError(f"{self.path}: {edited.name} is not as it was written down: choose another --out")
            before = replace(before, seeds=experiment.seeds, command=experiment.command)
            lines = [to_json(before)]
            for cell in cells:
                lines.append(to_json(cell.sealed(lines[-1])))
            self._file.replace(lines)
            self._last = lines[-1]
        if differences := before.differences(experiment):
            raise ConfigError(
                f"{self.path} holds another experiment ({told(differences)}): "
                "choose another --out, or give the same options to go on with it"
            )
        return before, {cell.key for cell in cells}

    def add(self, cell: CellResult) -> None:
        """Keep a finished cell; on the disk when this returns."""
        line = to_json(cell.sealed(self._last))
        self._file.append(line)
        self._last = line
        self.done.add(cell.key)

    def close(self) -> None:
        """Let others go on with it."""
        self._file.close()


def of_methods(
    experiment: Experiment, cells: Sequence[CellResult], names: Sequence[str]
) -> tuple[Experiment, tuple[CellResult, ...]]:
    """The part of an experiment that these methods are, so that an unfinished one can be looked at: tasks count that all of them finished.

    Raises:
        UnknownName: The experiment has no such method.
    """
    for name in names:
        if name not in experiment.methods:
            raise UnknownName(f"the experiment has no method {name!r}; {did_you_mean(name, experiment.methods)}")
    kept = tuple(name for name in experiment.methods if name in names)
    parts = tuple(part for part in experiment.parts if part.name in names)
    return replace(experiment, methods=kept, parts=parts), tuple(cell for cell in cells if cell.method in kept)


def read_results(path: Path) -> tuple[Experiment, tuple[CellResult, ...]]:
    """The experiment and its finished cells. `path` is the file, or the folder that holds it.

    Raises:
        ConfigError: There is no such file.
        SchemaError: It is not one of results, or damaged; the message names the line.
    """
    file = path / RESULTS if path.is_dir() else path
    if not file.is_file():
        raise ConfigError(f"there is no {file}: `regrapht bench run` writes it")
    raw = file.read_bytes()
    if (fault := fault_of_text(raw)) is not None:
        raise SchemaError(f"{file}: {fault}")
    lines = raw.decode().split("\n")
    cut = lines.pop()  # empty, unless the last line was cut off
    if not lines:
        raise SchemaError(f"{file} is {'cut off' if cut else 'empty'}")
    if not _begins_an_experiment(lines[0]):
        raise SchemaError(
            f"{file}: line 1 is not an experiment as `regrapht bench run` writes it: another kind of file, or the first line is lost"
        )
    experiment = _record(Experiment, lines[0], f"{file}: line 1")
    cells = [_record(CellResult, line, f"{file}: line {i}") for i, line in enumerate(lines[1:], start=2)]
    keys: set[tuple[str, str, int]] = set()
    for number, cell in enumerate(cells, start=2):
        if cell.key in keys:
            raise SchemaError(f"{file}: line {number}: {cell.name} is there twice")
        keys.add(cell.key)
    return experiment, tuple(cells)


def first_edited(path: Path, cells: Sequence[CellResult], *, alone: bool = True) -> CellResult | None:
    """The first cell that has a seal which is not that of what stands there, or behind the line before; None where all is well.

    Args:
        alone: Whether seals of cells alone will do, as in files of an earlier version.
    """
    file = path / RESULTS if path.is_dir() else path
    for before, cell in zip(file.read_bytes().decode().split("\n"), cells, strict=False):
        seals = [cell.sealed(before).seal, *([cell.sealed().seal] if alone else [])]
        if cell.seal is not None and cell.seal not in seals:
            return cell
    return None


def by_task(cells: Sequence[CellResult]) -> dict[str, list[CellResult]]:
    """Cells by task, each list in the order of seeds."""
    found: dict[str, list[CellResult]] = {}
    for cell in sorted(cells, key=lambda cell: (cell.task_id, cell.seed)):
        found.setdefault(cell.task_id, []).append(cell)
    return found


def _begins_an_experiment(line: str | bytes) -> bool:
    try:
        first = json.loads(line)
    except ValueError:
        return False
    return isinstance(first, dict) and {"suite", "methods", "schema_version"} <= first.keys()


def _record(kind: type[Line], line: str, where: str) -> Line:
    try:
        return from_json(kind, line)
    except SchemaError as error:
        raise SchemaError(f"{where}: {error}") from error
