"""Every access that a function makes to its arrays, itself or through the helpers and kernels that it calls."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, SourceUnit
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.bounds import ONE, ZERO, Symbols, Unbounded
from regrapht.tasks.inference.conditions import Condition, conditions_around, tighter_bounds
from regrapht.tasks.inference.index_values import IndexValues
from regrapht.tasks.inference.loops import LOOPS, Loop, loops_around
from regrapht.tasks.inference.places import is_pointer, pointer_value, whole_pointer
from regrapht.tasks.inference.polynomial import Polynomial
from regrapht.tasks.inference.scope import Activation

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_CALLS = 100


class Mode(StrEnum):
    READ = "read"
    WRITE = "write"
    UPDATE = "update"
    """Read and written in one: `+=`, `++`, an atomic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """One loop around an access, with the number of its iterations at most; None where that is not known."""

    loop: Loop
    trips: Polynomial | None
    symbol: str
    """Name of the loop variable's symbol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One subscript of one array."""

    array: str
    mode: Mode
    index: Polynomial
    tighter: dict[str, Polynomial]
    """Upper bounds that hold here, by symbol."""
    conditions: tuple[Condition, ...]
    nests: tuple[Nest, ...]
    node: "Node"
    at: Activation


@dataclass(slots=True)
class Reading:
    """All that was read of the entry: its accesses in the order of the text, and its loops."""

    symbols: Symbols
    accesses: list[Access]
    nests: list[tuple[Nest, ...]]
    """For each loop, the loops around it and itself, outermost first."""

    @property
    def innermost(self) -> list[tuple[Nest, ...]]:
        """The nests that are not the outer part of another."""
        outer = {tuple(nest.symbol for nest in nests[:depth]) for nests in self.nests for depth in range(len(nests))}
        return [nests for nests in self.nests if tuple(nest.symbol for nest in nests) not in outer]


def read_accesses(entry: FunctionDefinition, unit: SourceUnit, *, integers: frozenset[str]) -> Reading:
    """The accesses of `entry`, whose integer parameters are `integers`.

    Raises:
        Unbounded: A subscript or a use of a pointer that cannot be followed.
    """
    symbols = Symbols()
    arrays = {p.name: p.name for p in entry.parameters if p.pointer_depth}
    values = {name: Polynomial.name(name) for name in integers}
    reading = Reading(symbols=symbols, accesses=[], nests=[])
    start = Activation(function=entry, unit=unit, arrays=arrays, values=values, prefix="")
    waiting: list[tuple[Activation, tuple[Nest, ...]]] = [(start, ())]
    reader = IndexValues(symbols)
    for count in range(_MAX_CALLS):
        if count >= len(waiting):
            return reading
        at, outside = waiting[count]
        for node in walk(at.function.body):
            if node.type in LOOPS:
                nests = _nests(node, at, reader, itself=True)
                if nests and nests[-1].loop.node.id == node.id:
                    reading.nests.append((*outside, *nests))
            elif node.type == "identifier" and is_pointer(node, at) and _is_use(node, at):
                reading.accesses.extend(_access(node, at, reader, outside))
            elif node.type == "call_expression":
                waiting.extend(
                    (called, (*outside, *_nests(node, at, reader)))
                    for called in _called(node, at, reader, len(waiting))
                )
    raise Unbounded("a chain of calls without end", line_of(entry.node))


def _is_use(node: "Node", at: Activation) -> bool:
    parent = node.parent
    if parent is None or parent.type in ("field_expression", "qualified_identifier"):
        return False
    return not _declares(node)


def _declares(node: "Node") -> bool:
    """Whether a name stands where it is declared."""
    parent = node.parent
    while parent is not None and parent.type in ("pointer_declarator", "array_declarator"):
        node, parent = parent, parent.parent
    return parent is not None and (
        parent.type == "declaration"
        or (parent.type == "init_declarator" and parent.child_by_field_name("declarator") == node)
    )


def _access(node: "Node", at: Activation, reader: IndexValues, outside: tuple[Nest, ...]) -> Iterator[Access]:
    place = whole_pointer(node)
    parent = place.parent
    if parent is None or parent.type == "argument_list" or _only_moves(place, parent):
        return  # a call is followed by itself, or refused there
    if parent.type == "init_declarator":
        return  # a pointer into the array: its uses are followed
    if parent.type == "subscript_expression" and parent.child_by_field_name("argument") == place:
        listed = parent.child_by_field_name("indices")
        if listed is None or len(listed.named_children) != 1:
            raise Unbounded(f"{text_of(parent)!r}", line_of(parent))
        added = reader.value(listed.named_children[0], at)
    elif parent.type == "pointer_expression" and text_of(parent.children[0]) == "*":
        added = ZERO
    elif _is_null_test(parent) or (parent.type == "cast_expression" and text_of(parent).startswith("(void)")):
        return
    else:
        raise Unbounded(f"the pointer {text_of(node)!r}, used other than by a subscript,", line_of(node))
    if parent.parent is not None and parent.parent.type == "pointer_expression" and _is_address(parent.parent):
        outer = whole_pointer(parent.parent)
        if outer.parent is not None and outer.parent.type == "init_declarator":
            return
    array, offset = pointer_value(place, at, reader)
    conditions = conditions_around(parent, at.function.body)
    yield Access(
        array=array,
        mode=_mode(parent),
        index=offset + added,
        tighter=tighter_bounds(conditions, reader, at),
        conditions=tuple(conditions),
        nests=(*outside, *_nests(parent, at, reader)),
        node=parent,
        at=at,
    )


def _is_address(node: "Node") -> bool:
    return text_of(node.children[0]) == "&"


def _only_moves(place: "Node", parent: "Node") -> bool:
    """`p++;` or `p += 4`: where a pointer stands then is asked where it is used."""
    if parent.type == "update_expression":
        return True
    operator = parent.child_by_field_name("operator")
    moved = parent.type == "assignment_expression" and parent.child_by_field_name("left") == place
    return moved and operator is not None and text_of(operator) in ("+=", "-=")


def _is_null_test(parent: "Node") -> bool:
    if parent.type == "unary_expression":
        return text_of(parent.children[0]) == "!"
    return parent.type == "binary_expression" and text_of(parent.children[1]) in ("==", "!=")


def _mode(place: "Node") -> Mode:
    parent, inside = place.parent, place
    while parent is not None and parent.type in ("field_expression", "parenthesized_expression"):
        inside, parent = parent, parent.parent
    if parent is None:
        return Mode.READ
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == inside:
        operator = parent.child_by_field_name("operator")
        return Mode.WRITE if operator is not None and text_of(operator) == "=" and inside == place else Mode.UPDATE
    if parent.type == "update_expression" or (
        parent.type == "pointer_expression" and text_of(parent.children[0]) == "&"
    ):
        return Mode.UPDATE
    return Mode.READ


def _nests(node: "Node", at: Activation, reader: IndexValues, *, itself: bool = False) -> tuple[Nest, ...]:
    """The loops around `node`; with `itself`, the loop that it is too."""
    inner = node.child_by_field_name("body") if itself else node
    found = []
    for loop in loops_around(inner or node, at.function.body):
        key = f"{at.prefix}{loop.name}@{loop.node.start_byte}"
        try:
            low, high, _ = reader.loop_range(loop, at)
            trips: Polynomial | None = reader.symbols.upper(high - low) + ONE
        except Unbounded:
            trips = None  # harmless as long as no subscript uses its variable
        found.append(Nest(loop=loop, trips=trips, symbol=key))
    return tuple(found)


def _called(node: "Node", at: Activation, reader: IndexValues, number: int) -> list[Activation]:
    """The helper or kernel of the same file that a call hands arrays to."""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    given = [child for child in listed.named_children if child.type != "comment"] if listed is not None else []
    name = text_of(called).split("<")[0].rpartition("::")[2] if called is not None else ""
    handed = [part for part in given if text_of(part) in at.arrays]
    found = at.unit.named(name)
    if not handed:
        return []
    if len(found) != 1 or len(found[0].parameters) != len(given) or found[0].name == at.function.name:
        raise Unbounded(f"{text_of(handed[0])!r}, handed to {name!r},", line_of(node))
    arrays, values = {}, {}
    for parameter, part in zip(found[0].parameters, given, strict=True):
        if parameter.pointer_depth:
            if text_of(part) not in at.arrays:
                continue
            arrays[parameter.name] = at.arrays[text_of(part)]
        else:
            try:
                values[parameter.name] = reader.value(part, at)
            except Unbounded:
                continue  # a float, or an integer that matters only if a subscript uses it
    return [
        Activation(
            function=found[0],
            unit=at.unit,
            arrays=arrays,
            values=values,
            prefix=f"{at.prefix}{name}{number}.",
            always_runs=at.always_runs and not conditions_around(node, at.function.body),
        )
    ]
