"""Every access that a function makes to its arrays, itself or through the helpers and kernels that it calls."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition, Parameter, SourceUnit
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.accesses.conditions import Condition, conditions_around, kept_from_below, tighter_bounds
from regrapht.tasks.inference.accesses.lambdas import called_lambda, is_bound
from regrapht.tasks.inference.accesses.modes import Mode, mode_of, reference_to
from regrapht.tasks.inference.accesses.places import (
    is_arrow,
    is_declared_pointer,
    is_pointer,
    pointer_place,
    pointer_value,
    points,
    rotated_places,
    swapped,
    whole_pointer,
)
from regrapht.tasks.inference.accesses.ranges import Touched, touched_ranges, vector_length
from regrapht.tasks.inference.accesses.scratch import scratch_lengths
from regrapht.tasks.inference.values.bounds import ONE, ZERO, Symbols, Unbounded, require_short
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.lambda_values import bound_lambda
from regrapht.tasks.inference.values.loops import LOOPS, Loop, loops_around
from regrapht.tasks.inference.values.scope import Activation, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_CALLS = 100
_OF_ONE_ELEMENT = ("atomic", "__atomic_", "__sync_", "__ld", "__st")
"""How the names of functions begin that touch no more than the one element whose address they are given."""


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
    not_negative: frozenset[str] = frozenset()
    """Symbols that a condition keeps from being negative here."""
    conditions: tuple[Condition, ...]
    nests: tuple[Nest, ...]
    node: "Node"
    at: Activation
    ends_range: bool = False
    """Whether it stands for a whole range up to this element."""
    summed: Polynomial | None = None
    """How many elements of that range are added up, where they are."""
    filled_from: Polynomial | None = None
    """The first element of that range, where it is written without being read."""

    def positive(self, symbols: Symbols) -> tuple[Polynomial, ...]:
        """What of sizes is at least 1 wherever the access is made: the turns of the loops around it, the room that a condition leaves.

        What is 1 at any sizes is left out.
        """
        found = [nest.trips for nest in self.nests if nest.trips is not None and nest.loop.node.type != "do_statement"]
        for name, high in self.tighter.items():
            low = symbols.known[name].low if name in symbols.known else None
            if low is not None and not symbols.of(low):
                found.append(high - low + ONE)
        return tuple(value for value in dict.fromkeys(found) if not (value - ONE).is_never_negative())


@dataclass(slots=True)
class Reading:
    """All that was read of the entry: its accesses in the order of the text, and its loops."""

    symbols: Symbols
    accesses: list[Access]
    nests: list[tuple[Nest, ...]]
    """For each loop, the loops around it and itself, outermost first."""
    scratch: list[Polynomial] = field(default_factory=list)
    """Elements of the memory that the entry makes for itself, where sizes alone decide on them."""

    @property
    def innermost(self) -> list[tuple[Nest, ...]]:
        """The nests that are not the outer part of another."""
        outer = {tuple(nest.symbol for nest in nests[:depth]) for nests in self.nests for depth in range(len(nests))}
        return [nests for nests in self.nests if tuple(nest.symbol for nest in nests) not in outer]


def read_accesses(
    entry: FunctionDefinition,
    unit: SourceUnit,
    *,
    integers: frozenset[str],
    contents: Mapping[str, Polynomial | None] | None = None,
) -> Reading:
    """The accesses of `entry`, whose integer parameters are `integers`; `contents` as `IndexValues` takes it.

    Raises:
        Unbounded: A subscript or a use of a pointer that cannot be followed.
    """
    symbols = Symbols()
    arrays = {p.name: p.name for p in entry.parameters if p.pointer_depth}
    values = {name: Polynomial.name(name) for name in integers}
    reading = Reading(symbols=symbols, accesses=[], nests=[])
    start = Activation(function=entry, unit=unit, arrays=arrays, values=values, prefix="")
    waiting: list[tuple[Activation, tuple[Nest, ...]]] = [(start, ())]
    reader = IndexValues(
        symbols,
        vector_length=vector_length,
        pointer_place=pointer_place,
        contents=contents,
        types={p.name: p.type_text.replace("std::", "") for p in entry.parameters},
    )
    reading.scratch.extend(scratch_lengths(start, reader))
    for count in range(_MAX_CALLS):
        if count >= len(waiting):
            return reading
        at, outside = waiting[count]
        refuse_macros(at)
        for node in _outside_lambdas(at.function.body):
            if node.type in LOOPS:
                nests = _nests(node, at, reader, itself=True)
                if nests and nests[-1].loop.node.id == node.id:
                    reading.nests.append((*outside, *nests))
            elif node.type == "identifier" and is_pointer(node, at) and _is_use(node, at):
                reading.accesses.extend(_access(node, at, reader, outside))
            elif node.type == "goto_statement" and _jumps_back(node, at):
                raise Unbounded(f"a loop made by {text_of(node)!r}", line_of(node))
            elif (ranges := touched_ranges(node, at, reader)) is not None:
                reading.accesses.extend(_of_range(touched, at, reader, outside) for touched in ranges)
            elif node.type == "call_expression":
                waiting.extend(
                    (called, (*outside, *_nests(node, at, reader)))
                    for called in _called(node, at, reader, len(waiting))
                )
    raise Unbounded("a chain of calls without end", line_of(entry.node))


def _outside_lambdas(node: "Node") -> Iterator["Node"]:
    """The node and all below it but the bodies of lambdas that have a name: these are read where they are called."""
    yield node
    for child in node.children:
        if child.type != "lambda_expression" or not is_bound(child):
            yield from _outside_lambdas(child)


def _jumps_back(goto: "Node", at: Activation) -> bool:
    labels = [node for node in walk(at.function.body) if node.type == "labeled_statement"]
    target = goto.child_by_field_name("label")
    return any(
        target is not None and label.start_byte <= goto.start_byte and text_of(label.children[0]) == text_of(target)
        for label in labels
    )


def _is_use(node: "Node", at: Activation) -> bool:
    parent = node.parent
    if parent is None or parent.type == "qualified_identifier":
        return False
    if parent.type == "field_expression":
        return parent.child_by_field_name("argument") == node and is_arrow(parent)
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
    if _in_lambda(node, at):
        raise Unbounded(f"the pointer {text_of(node)!r}, used in a lambda,", line_of(node))
    if parent is None or _is_followed(place, at):
        return
    if parent.type == "subscript_expression" and parent.child_by_field_name("argument") == place:
        listed = parent.child_by_field_name("indices")
        if listed is None or len(listed.named_children) != 1:
            raise Unbounded(f"{text_of(parent)!r}", line_of(parent))
        added = reader.value(listed.named_children[0], at)
    elif (parent.type == "pointer_expression" and text_of(parent.children[0]) == "*") or is_arrow(parent):
        added = ZERO
    elif _is_compared(parent) or (parent.type == "cast_expression" and text_of(parent).startswith("(void)")):
        return
    else:
        raise Unbounded(f"the pointer {text_of(node)!r}, used other than by a subscript,", line_of(node))
    if _is_handed_on(parent, at):
        return
    conditions = conditions_around(parent, at.function.body)
    places, mode = _places(place, at, reader), mode_of(parent, at)
    for array, offset in places:
        yield Access(
            array=array,
            mode=mode
            if mode is Mode.READ or len(places) == 1
            else Mode.UPDATE,  # it may be another array that is written
            index=offset + added,
            tighter=tighter_bounds(conditions, reader, at),
            not_negative=kept_from_below(conditions, reader, at),
            conditions=tuple(conditions),
            nests=(*outside, *_nests(parent, at, reader)),
            node=parent,
            at=at,
        )


def _places(place: "Node", at: Activation, reader: IndexValues) -> list[tuple[str, Polynomial]]:
    """Where a pointer points: to one place, or to one of several where pointers take each other's place."""
    try:
        return [pointer_value(place, at, reader)]
    except Unbounded as error:
        if place.type != "identifier":
            raise
        try:
            places = rotated_places(place, at, reader)
        except Unbounded:
            raise error from None
        if len(places) < 2 and not _is_swapped(place, at):
            raise
        return places


def _is_swapped(pointer: "Node", at: Activation) -> bool:
    """Whether a pointer's place is exchanged with another's, in a local buffer maybe."""
    stores = stores_to(text_of(pointer), at.function)
    rights = [store.child_by_field_name("right") for store in stores]
    return bool(stores) and all(
        bool(swapped(store)) or (right is not None and right.type == "identifier")
        for store, right in zip(stores, rights, strict=True)
    )


def _of_range(touched: Touched, at: Activation, reader: IndexValues, outside: tuple[Nest, ...]) -> Access:
    """A range as an access to its last element. What is written counts as updated: the others are written too, and no loop shows it."""
    conditions = conditions_around(touched.node, at.function.body)
    return Access(
        array=touched.array,
        mode=Mode.READ if touched.only_read else Mode.UPDATE,
        index=touched.last,
        tighter=tighter_bounds(conditions, reader, at),
        conditions=tuple(conditions),
        nests=(*outside, *_nests(touched.node, at, reader)),
        node=touched.node,
        at=at,
        ends_range=True,
        summed=touched.summed,
        filled_from=touched.filled_from,
    )


def _is_address(node: "Node") -> bool:
    return text_of(node.children[0]) == "&"


def _is_handed_on(element: "Node", at: Activation) -> bool:
    """Whether only the address of an element is taken, and followed elsewhere.

    Raises:
        Unbounded: The address, or that of a reference to the element, goes where it is not followed.
    """
    outer = element.parent
    if outer is None:
        return False
    alias = reference_to(outer)
    if alias is not None and any(store.type == "pointer_expression" for store in stores_to(alias, at.function)):
        raise Unbounded(f"the address of {alias!r}", line_of(element))
    if outer.type != "pointer_expression" or not _is_address(outer) or _hands_one_element(outer):
        return False
    if not _is_followed(whole_pointer(outer), at):
        raise Unbounded(f"the address {text_of(outer)!r}, used other than as a pointer,", line_of(outer))
    return True


def _is_followed(place: "Node", at: Activation) -> bool:
    """Whether a pointer is only handed on, to where its uses are followed: a call, another pointer, or itself by `p++` or `p += 4`."""
    parent = place.parent
    if parent is None:
        return False
    if parent.type in ("argument_list", "update_expression"):
        return True  # a call is followed by itself, or refused there
    if parent.type == "init_declarator":
        return is_declared_pointer(parent)
    left, operator = parent.child_by_field_name("left"), parent.child_by_field_name("operator")
    if parent.type != "assignment_expression" or left is None or operator is None:
        return False
    if text_of(operator) in ("+=", "-="):
        return left == place
    alone = parent.parent is not None and parent.parent.type in ("expression_statement", "for_statement")
    return alone and text_of(operator) == "=" and left.type == "identifier" and is_pointer(left, at)


def _hands_one_element(address: "Node") -> bool:
    """Whether `&a[i]` goes to a function that touches that element alone."""
    call = address.parent.parent if address.parent is not None and address.parent.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None else None
    return called is not None and text_of(called).rpartition("::")[2].startswith(_OF_ONE_ELEMENT)


def _in_lambda(node: "Node", at: Activation) -> bool:
    """Whether a name stands in a lambda inside of what is read."""
    outer: Node | None = node
    while outer is not None and outer.id != at.function.body.id and outer.type != "lambda_expression":
        outer = outer.parent
    return outer is not None and outer.type == "lambda_expression"


def _is_compared(parent: "Node") -> bool:
    if parent.type == "unary_expression":
        return text_of(parent.children[0]) == "!"
    return parent.type == "binary_expression" and text_of(parent.children[1]) in ("==", "!=", "<", "<=", ">", ">=")


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
        if trips is not None:
            require_short(trips, "the number of turns of a loop", line_of(loop.node))
        found.append(Nest(loop=loop, trips=trips, symbol=key))
    return tuple(found)


def _called(node: "Node", at: Activation, reader: IndexValues, number: int) -> list[Activation]:
    """The helper or kernel of the same file that a call hands arrays to."""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    given = [child for child in listed.named_children if child.type != "comment"] if listed is not None else []
    name = text_of(called).split("<")[0].rpartition("::")[2] if called is not None else ""
    handed = [part for part in given if points(part, at)]
    if called is not None and (bound := bound_lambda(called, at)) is not None:
        value, around = bound
        if value == at.function.node:
            raise Unbounded(f"the lambda {name!r}, which calls itself,", line_of(node))
        always = not conditions_around(node, at.function.body)
        prefix = f"{at.prefix}{name}{number}."
        return [called_lambda(value, around, given, at, reader, prefix, always_runs=always)]
    found = at.unit.named(name)
    for parameter, part in zip(found[0].parameters, given, strict=False) if found else ():
        if (
            parameter.is_reference
            and not parameter.is_const
            and part.type == "identifier"
            and text_of(part) not in at.arrays
        ):
            _refuse_reference(parameter, part, name, at)
    if (
        not handed
        or swapped(node)
        or all(part.type == "pointer_expression" and _hands_one_element(part) for part in handed)
    ):
        return []
    if len(found) != 1 or len(found[0].parameters) != len(given) or found[0].name == at.function.name:
        raise Unbounded(f"{text_of(handed[0])!r}, handed to {name!r},", line_of(node))
    arrays, offsets, values = {}, {}, {}
    for parameter, part in zip(found[0].parameters, given, strict=True):
        if part in handed:
            if not parameter.pointer_depth or parameter.is_reference:
                raise Unbounded(f"{text_of(part)!r}, handed to {name!r} as no pointer,", line_of(node))
            arrays[parameter.name], offsets[parameter.name] = pointer_value(part, at, reader)
        elif not parameter.pointer_depth:
            try:
                values[parameter.name] = reader.value(part, at)
            except Unbounded:
                continue  # a float, or an integer that matters only if a subscript uses it
    return [
        Activation(
            function=found[0],
            unit=at.unit,
            arrays=arrays,
            offsets=offsets,
            values=values,
            prefix=f"{at.prefix}{name}{number}.",
            always_runs=at.always_runs and not conditions_around(node, at.function.body),
        )
    ]


def _refuse_reference(parameter: Parameter, part: "Node", name: str, at: Activation) -> None:
    """Refuse a call that may change a pointer: where it points later is not followed. An integer is refused where a subscript uses it."""
    if parameter.pointer_depth:
        raise Unbounded(f"{text_of(part)!r}, which {name!r} may change,", line_of(part))


def refuse_macros(at: Activation) -> None:
    """Refuse a function that uses a macro whose text names one of the function's pointers.

    Raises:
        Unbounded: It does.
    """
    names = {node: text_of(node) for node in walk(at.function.body) if node.type == "identifier"}
    pointers = set(at.arrays) | {name for node, name in names.items() if _is_declared_as_pointer(node)}
    hidden = _macros(at.function.node)
    for node, name in names.items():
        if found := sorted(hidden.get(name, frozenset()) & pointers):
            raise Unbounded(f"the macro {name!r}, which uses {found[0]!r} by itself,", line_of(node))


def _macros(node: "Node") -> dict[str, frozenset[str]]:
    """Macro of the file -> the names in its text that are not its own parameters."""
    root = node
    while root.parent is not None:
        root = root.parent
    found: dict[str, frozenset[str]] = {}
    for part in walk(root):
        name, text = part.child_by_field_name("name"), part.child_by_field_name("value")
        if part.type in ("preproc_def", "preproc_function_def") and name is not None and text is not None:
            listed = part.child_by_field_name("parameters")
            own = {text_of(child) for child in listed.named_children} if listed is not None else set()
            found[text_of(name)] = frozenset(re.findall(r"[A-Za-z_]\w*", text_of(text))) - own
    return found


def _is_declared_as_pointer(node: "Node") -> bool:
    return node.parent is not None and node.parent.type == "pointer_declarator"
