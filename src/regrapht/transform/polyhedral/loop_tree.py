"""A function's body as loops with affine bounds around leaves of straight-line code."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from regrapht.source.polynomial import Terms, words
from regrapht.transform.ir.expressions import Element, Variable
from regrapht.transform.ir.statements import Declare, For, Statement
from regrapht.transform.polyhedral.affine import Affine, Symbols

READ, WRITE, UPDATE = "read", "write", "update"


@dataclass(frozen=True, slots=True)
class Inside:
    """Loops that stay text in a leaf, around an access whose place they move.

    Their bounds may be unknown (`bounds` are those that are affine), so that this says where the access may be, never where it is.
    """

    affine: Affine
    """Reads expressions there."""
    variables: tuple[str, ...]
    bounds: tuple[str, ...]
    subscripts: tuple[Terms, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """The elements from `offsets[place]` on below `offsets[place + 1]`."""

    offsets: str
    place: str
    """isl's text."""
    certain: bool
    """Whether each of the leaf's iterations reads these offsets, unless an affine condition of the access skips it."""


@dataclass(slots=True, eq=False)
class Access:
    """One read, write or update of an array or a local by a leaf.

    `conditions` are affine and restrict it; `certain` is False when another condition, which is not affine, may skip it.
    """

    array: str
    kind: str
    expression: Variable | Element
    subscripts: list[Terms | None]
    conditions: tuple[str, ...]
    leaf: "Leaf"
    operator: str = ""
    certain: bool = True
    index: list[Terms] | None = None
    """One polynomial a recovered dimension; None when it is none of the leaf's iteration alone."""
    inside: Inside | None = None
    """How loops of the leaf's own move it."""
    segment: Segment | None = None
    """What a loop of the leaf's own keeps it in, by offsets."""
    line: int = 0
    """Of the statement."""
    map: Any = None
    """isl's map from iterations to elements; set for one nest at a time."""

    @property
    def bounds(self) -> tuple[str, ...]:
        """What is known of the leaf's own loops around it."""
        return () if self.inside is None else self.inside.bounds


@dataclass(slots=True, eq=False)
class Leaf:
    """Statements that one iteration of the loops around them executes in order."""

    statements: list[Statement]
    loops: "list[Loop]"
    conditions: list[str]
    line: int
    name: str
    is_way_out: bool = False
    """The launcher leaves the loop around it here, if a flag says so."""
    accesses: list[Access] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    """Locals declared here."""
    affine: Affine | None = None
    dims: list[str] = field(default_factory=list)
    """Loop variables that are dimensions of the domain; those outside are parameters."""
    parameters: str = ""
    domain: Any = None
    """isl's set of iterations; set for one nest at a time."""

    @property
    def iterators(self) -> list[str]:
        return [loop.variable for loop in self.loops]

    def is_cut_by(self, variables: Collection[str]) -> bool:
        """Whether a condition on these loop variables leaves out some iterations; others leave out all of a nest or none."""
        return any(set(words(text)) & set(variables) for text in self.conditions)


@dataclass(slots=True, eq=False)
class Loop:
    variable: str
    type: str
    constraints: list[str]
    step: int
    children: "list[Node]"
    line: int
    start: str | None = None
    """isl's text of its first value; None when that is a minimum or maximum."""
    nonnegative: bool = False
    """Whether all its values are known to be 0 or more."""
    left_by_flag: bool = False
    """The launcher leaves it at a way out among its children."""
    endless: bool = False
    """Nothing else ends it."""
    launched: For | None = None
    """The launcher runs it as this statement: what is inside knows its variable as a parameter."""
    scalars: list[Declare] = field(default_factory=list)
    """What the launcher computes at the start of each turn."""


Node = Loop | Leaf
Key = tuple[str, int]
"""What a loop is known by in another form of its function: its variable and line."""


def loop_key(loop: Loop | For) -> Key:
    return (loop.variable, loop.line)


def affine_inside(symbols: Symbols, loops: Sequence[Loop], conditions: Sequence[str] = ()) -> Affine:
    """Reads expressions inside `loops`, where `conditions` hold."""
    nonnegative = frozenset(loop.variable for loop in loops if loop.nonnegative)
    given = (*(text for loop in loops for text in loop.constraints), *conditions)
    return Affine(symbols, tuple(loop.variable for loop in loops if loop.launched is None), nonnegative, given)


def leaves(nodes: "Node | Sequence[Node]") -> list[Leaf]:
    """The leaves at or below `nodes`, in order."""
    return list(_leaves(nodes))


def all_loops(nodes: "Sequence[Node]") -> "Iterator[Loop]":
    """The loops at or below `nodes`, outer ones first."""
    for node in nodes:
        if isinstance(node, Loop):
            yield node
            yield from all_loops(node.children)


def _leaves(nodes: "Node | Sequence[Node]") -> Iterator[Leaf]:
    if isinstance(nodes, Leaf):
        yield nodes
        return
    for child in nodes.children if isinstance(nodes, Loop) else nodes:
        yield from _leaves(child)


def without_loops(node: Node, removed: Sequence[str]) -> list[Node]:
    """The tree without the loops over the variables `removed`."""
    if isinstance(node, Leaf):
        return [node]
    inner = [part for child in node.children for part in without_loops(child, removed)]
    if node.variable in removed:
        return inner
    return [Loop(node.variable, node.type, node.constraints, node.step, inner, node.line, node.start, node.nonnegative)]
