"""A made-up task as a table that searches run on, with a graph learnt from experts on other tasks of its world."""

import random
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath
from regrapht.records.candidate import Candidate
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.task import Arg, ArgKind, Compare, Init, Reference, Role, SourceFile, Task, Tolerance, Work
from regrapht.records.technique import Area, Technique
from regrapht.records.verdict import CaseResult, Evidence, Level, Stage, StageName, StageOutcome, Status, Verdict
from study.landscape.table import Values, Way
from study.landscape.worlds import (
    PLAIN_STATE,
    TECHNIQUES,
    World,
    WorldTask,
    as_state,
    as_text,
    expert_paths,
    family_of,
    measured,
    slug,
)

START = 1000.0
NOISE = 0.01
"""Relative, of a timing."""
POOR_SHARE = 0.25
"""Of the attempts that succeed."""
READ_RIGHT = 0.8
"""Share of (task, technique) whose condition is read rightly from the code."""
_NUMBERS = {slug(technique): technique for technique in range(TECHNIQUES)}
_KEPT = 50_000


class WorldTable:
    """One made-up task; programs are states, made when they are asked for. All 40 techniques are offered everywhere.

    Args:
        paths: Expert trajectories on other tasks that the graph is learnt from.
        shuffled: Give every technique another one's name in the graph: knowledge that misleads.
    """

    values = Values.SYNTHETIC
    size = float("inf")

    def __init__(self, task: WorldTask, *, paths: int = 150, shuffled: bool = False) -> None:
        self._world_task = task
        self.name = task.name
        self.task = _task(task)
        self.graph = world_graph(task.world.seed, paths, shuffled)
        self.device = "synthetic"
        self.best_gain = task.best_gain
        self.yardstick = Yardstick(
            scale=Scale.MODELLED, start=START, floor=START / 2 ** (1.5 * max(0.5, self.best_gain)), start_name="plain"
        )
        self._task_hash = self.task.content_hash
        self._plain = as_text(PLAIN_STATE)
        self._gains: OrderedDict[str, float] = OrderedDict()
        reader = random.Random(f"reader/{task.name}")
        self._fits = {
            name: applies if reader.random() < READ_RIGHT else not applies
            for name, applies in zip(_NUMBERS, task.applies, strict=True)
        }

    def first(self, attempt: int) -> Way | None:
        """The plain program; there is one."""
        return Way(self._plain, ()) if attempt == 0 else None

    def techniques(self, program: str) -> Sequence[str]:
        """All of them."""
        return tuple(_NUMBERS)

    def way(self, program: str, technique: str, attempt: int) -> Way | None:
        """What the n-th attempt gives: a quarter of them are poor."""
        poor = random.Random(f"{self.name}/{program}/{technique}/{attempt}").random() < POOR_SHARE
        state = self._world_task.after(as_state(program), _NUMBERS[technique], poor=poor)
        return Way(as_text(state), (technique,))

    def fits(self, program: str, technique: str) -> bool | None:
        """True where the code looks as if the technique applied; None elsewhere, because it may all the same."""
        return True if self._fits[technique] else None

    def source(self, program: str) -> str:
        """A text that holds the state; no compiler would take it."""
        return f"synthetic program of {self.name}: {program}\n"

    def gain(self, program: str) -> float | None:
        """The truth, without noise."""
        if program not in self._gains:
            self._gains[program] = self._world_task.gain(as_state(program))
            if len(self._gains) > _KEPT:
                self._gains.popitem(last=False)
        return self._gains[program]

    def verdict(self, candidate: Candidate) -> Verdict:
        """PASSED with a noisy figure."""
        program = candidate.program_hash
        assert program is not None
        gain = self.gain(program)
        assert gain is not None
        shown = measured(gain, random.Random(f"noise/{self.name}/{program}"), noise=NOISE)
        return Verdict(
            status=Status.PASSED,
            level=Level.SCREEN,
            evaluator="synthetic",
            task_hash=self._task_hash,
            candidate_id=candidate.id,
            reason="made up",
            stages=_STAGES,
            cases=(_CASE,),
            no_timing="no_gpu",
            evidence=_evidence(START / 2**shown),
        )


@cache
def world_graph(seed: int, paths: int, shuffled: bool = False) -> TechniqueGraph:
    """The graph learnt from expert trajectories of a world."""
    names = list(_NUMBERS)
    if shuffled:
        random.Random(f"shuffle/{seed}").shuffle(names)
    known = tuple(
        TechniquePath(
            task_id=f"expert-{number}",
            family=f"family-{family}",
            source="synthetic",
            slugs=tuple(names[technique] for technique, _ in taken),
            speedups=tuple(2**gain for _, gain in taken),
        )
        for family, number, taken in expert_paths(World.draw(seed), paths=paths)
    )
    return TechniqueGraph(
        techniques={
            name: Technique(slug=name, title=name, area=Area.MEMORY, meaning="Made up.", condition="Unknown.")
            for name in _NUMBERS
        },
        edges={transition: () for path in known for transition in path.transitions},
        paths=known,
    )


def world_families() -> dict[str, str]:
    """Technique to technique family, for `Spoil`."""
    return {name: family_of(technique) for name, technique in _NUMBERS.items()}


def _task(task: WorldTask) -> Task:
    """A record that stands for the made-up task; its reference is never run."""
    size, real = SCALAR_TYPES["int64"], SCALAR_TYPES["float32"]
    return Task(
        id=task.name,
        title=task.name,
        description="Made up for studies of searches.",
        entry="made_up",
        reference=Reference(
            source=SourceFile(name="reference.cpp", text=f"void made_up(long long n, float* y) {{ /* {task.name} */ }}")
        ),
        args=(
            Arg(name="n", kind=ArgKind.SIZE, dtype=size),
            Arg(
                name="x",
                kind=ArgKind.ARRAY,
                dtype=real,
                shape=(Expression("n"),),
                role=Role.IN,
                init=Init(kind="normal"),
            ),
            Arg(name="y", kind=ArgKind.ARRAY, dtype=real, shape=(Expression("n"),), role=Role.OUT),
        ),
        check_sizes=({"n": 64},),
        tolerance=Tolerance(kind=Compare.FLOAT, reduction_length=Expression("1")),
        work=Work(bytes=Expression("8 * n")),
        family=f"family-{task.family}",
    )


_STAGES = (
    Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0.0),
    Stage(name=StageName.CHECK, outcome=StageOutcome.PASSED, seconds=0.0),
)
_CASE = CaseResult(
    sizes={}, family="declared", hidden=False, output="y", norm_error=0.0, norm_bar=1.0, element_error=None, mismatches=0,
    passed=True,
)  # fmt: skip


def _evidence(cost: float) -> Evidence:
    return Evidence(
        sizes={}, launches=1, threads=1, instructions=1, flops=0, global_sectors=0, ideal_global_sectors=0,
        shared_passes=0, ideal_shared_passes=0, barriers=0, divergence=None, modelled_cost=cost,
    )  # fmt: skip
