"""What has been decided for one nest of loops: the state that rules change and the code generator reads."""

from dataclasses import dataclass, field
from enum import StrEnum

from regrapht.transform.ir.expressions import Expression

SHARED_BYTES = 48 * 1024
"""Shared memory that a block may have without asking for more."""


class Layout(StrEnum):
    """How the points of a nest are spread over threads."""

    SERIAL = "serial"
    """One thread does everything: nothing parallel was found."""
    LINEAR = "linear"
    """Points are numbered; a thread takes a number, or several."""
    GRID = "grid"
    """One loop an axis of a grid of two or three dimensions."""
    ROWS = "rows"
    """A block takes one iteration of the outer loop, its threads share the loops inside."""
    SCAN = "scan"
    """Blocks find the running values of one loop whose iterations follow each other."""
    LIBRARY = "library"
    """A library combines what the iterations contribute, or multiplies matrices."""
    WAVE = "wave"
    """One launch for each time of a skewed order; threads take the rows that have a point then."""
    EXTREME = "extreme"
    """Threads look for the one iteration that keeps the smallest or largest value."""


class Combine(StrEnum):
    """How the partial results of a block's threads become one."""

    NONE = "none"
    TREE = "tree"
    SHUFFLE = "shuffle"


class Finish(StrEnum):
    """Who adds up the partial results of a whole-nest reduction."""

    THREAD = "thread"
    BLOCK = "block"
    ATOMIC = "atomic"


@dataclass(frozen=True, slots=True)
class Reference:
    """What one shared tile stands for: all reads of an array, or the reads by certain expressions."""

    array: str
    expressions: tuple[Expression, ...] = ()

    def covers(self, expression: Expression) -> bool:
        return not self.expressions or expression in self.expressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A sequential loop cut into steps of `size` iterations, each with its own shared tiles."""

    loop: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The decisions for one nest. Immutable: a rule gives a changed copy."""

    layout: Layout
    loops: tuple[str, ...] = ()
    """Loops that become threads, the one that neighbouring threads walk along first."""
    block: tuple[int, ...] = (256,)
    coarsening: dict[str, int] = field(default_factory=dict)
    """Points a thread along a loop; for LINEAR the key is `point`."""
    grid_stride: int = 0
    """Blocks to launch at most, threads then stride over the rest; 0: one thread a point."""
    step: Step | None = None
    shared: tuple[Reference, ...] = ()
    rows: tuple[str, ...] = ()
    """Arrays of which a block copies the rows of its points to shared memory first; for LINEAR, one loop."""
    padding: int = 0
    unroll: int = 0
    restrict: bool = False
    resident: int = 0
    """Blocks that the compiler must leave registers for on one multiprocessor; 0: left to it."""
    vector: int = 0
    """Neighbouring points along the first loop that one wide access takes; 0: one."""
    constant: tuple[str, ...] = ()
    """Arrays that the kernel reads from constant memory."""
    tables: tuple[str, ...] = ()
    """Arrays that each block copies to shared memory first, whole, those of the widest elements first."""
    bits: bool = False
    """Loops that count the bits of a word become one instruction."""
    kept: tuple[str, ...] = ()
    """Local arrays that a thread accesses at constant places, so that registers hold them."""
    streaming: bool = False
    """What is touched once goes past the caches."""
    varying: bool = False
    """Floats may be updated by atomics, whose order varies."""
    combine: Combine = Combine.NONE
    finish: Finish = Finish.THREAD
    tf32: bool = False
    """A library may round factors of products to TF32: the task's tolerance allows it."""
    private: tuple[str, ...] = ()
    """Arrays whose updates go to copies in shared memory first, those of the widest cells first."""
    techniques: tuple[str, ...] = ()

    @property
    def threads(self) -> int:
        count = 1
        for edge in self.block:
            count *= edge
        return count

    def edge(self, loop: str) -> int:
        """Points that a block covers along one of its loops, in a GRID."""
        return self.block[self.loops.index(loop)] * self.coarsening.get(loop, 1)
