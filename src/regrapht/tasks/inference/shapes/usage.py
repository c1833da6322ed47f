"""What the code does with its parameters besides touching them: sizes, sums, repetitions, divisors."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from regrapht.records.expression import Expression
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.accesses.accesses import Access, Nest, Reading
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.shapes.array_shapes import ArrayShape
from regrapht.tasks.inference.values.loops import LOOPS
from regrapht.tasks.inference.values.scope import find_declaration

if TYPE_CHECKING:
    from tree_sitter import Node

_DELICATE_CALLS = {
    *(
        "sqrt",
        "sqrtf",
        "rsqrt",
        "rsqrtf",
        "log",
        "logf",
        "log2",
        "log2f",
        "log10",
        "log10f",
        "log1p",
        "log1pf",
        "pow",
        "powf",
    ),
    *("acos", "acosf", "asin", "asinf", "cbrt", "cbrtf", "lgamma", "lgammaf", "tgamma", "tgammaf"),
}
_SUMS = ("+=", "-=")


def size_names(reading: Reading, shapes: Iterable[ArrayShape], integers: frozenset[str]) -> frozenset[str]:
    """Integer parameters that bound a loop or an array."""
    polynomials = [extent for shape in shapes for extent in shape.extents]
    polynomials += [nest.trips for nests in reading.nests for nest in nests if nest.trips is not None]
    polynomials += [
        limit for symbol in reading.symbols.known.values() for limit in (symbol.low, symbol.high) if limit is not None
    ]
    polynomials += [access.index for access in reading.accesses]
    bounding = frozenset(name for access in reading.accesses[:1] for name in _tested_by_loops(access))
    return (frozenset(name for value in polynomials for name in plain_names(value)) | bounding) & integers


def _tested_by_loops(access: Access) -> frozenset[str]:
    """The names in the conditions of the entry's loops."""
    conditions = [node.child_by_field_name("condition") for node in walk(access.at.function.body) if node.type in LOOPS]
    return frozenset(
        text_of(part)
        for condition in conditions
        if condition is not None
        for part in walk(condition)
        if part.type == "identifier"
    )


def plain_names(value: Polynomial) -> frozenset[str]:
    """The names in a polynomial, those inside `max(...)` and `//` included; symbols are left out."""
    found: set[str] = set()
    for name in value.names:
        if name.isidentifier():
            found.add(name)
        elif "@" not in name:
            found |= Expression(name).names
    return frozenset(found)


def repetitions(reading: Reading, sizes: frozenset[str], extents: frozenset[str]) -> frozenset[str]:
    """Sizes that stay small: they only count repetitions (no subscript uses the loop's variable) or reach to both sides of a point.

    Args:
        reading: What was read.
        sizes: The sizes to choose from.
        extents: Names in the extents of arrays.
    """
    lengths = {name for access in reading.accesses if access.ends_range for name in plain_names(access.index)}
    small: set[str] = set()
    used = {name for access in reading.accesses for name in symbols_behind(access.index, reading)}
    for nest in (nest for nests in reading.nests for nest in nests):
        symbol = reading.symbols.known.get(nest.symbol)
        if nest.trips is None:
            continue
        low = symbol.low if symbol is not None else None
        reaches_back = low is not None and any(value < 0 and names for names, value in low.terms.items())
        target = small if nest.symbol not in used or reaches_back else lengths
        target |= plain_names(nest.trips)
    known = {name for nests in reading.nests for nest in nests if nest.trips for name in plain_names(nest.trips)}
    for access in reading.accesses:
        back = {name for names, value in access.index.terms.items() if value < 0 for name in names}
        small |= (back & sizes) - known
        known |= plain_names(access.index) - back
    small |= sizes - known - lengths - extents
    return frozenset(small - lengths) & sizes


def windows(extents: Iterable[Polynomial]) -> frozenset[str]:
    """Sizes that are taken away from others in the extents of arrays, as `r` and `k` in `h - 2 * r` and `w - k + 1`: radii, filters."""
    taken: set[str] = set()
    hosts: set[str] = set()
    for extent in extents:
        inside = {name for names, value in extent.terms.items() if value > 0 for name in names}
        away = {names[0] for names, value in extent.terms.items() if value < 0 and len(names) == 1} - inside
        taken |= away
        hosts |= inside if away else set()
    return frozenset(taken - hosts)


def reduction_length(reading: Reading) -> Expression | None:
    """Terms of the longest sum behind one output element, at most; None where a loop feeds on what it wrote."""
    longest = Polynomial.constant(1)
    written = {access.array for access in reading.accesses if access.mode is not Mode.READ}
    if any(
        access.array in written and access.mode is Mode.READ and _feeds(access, reading) for access in reading.accesses
    ):
        return None
    for nests, sums in _sums(reading):
        terms = Polynomial.constant(1)
        for nest in nests:
            if nest.symbol not in sums:
                if nest.trips is None:
                    return None
                terms = terms * nest.trips
        longest = reading.symbols.largest(longest, terms)
    for access in reading.accesses:
        if access.summed is not None:
            longest = reading.symbols.largest(longest, reading.symbols.upper(access.summed))
    if longest.as_constant is not None:
        longest = reading.symbols.largest(longest, Polynomial.constant(_reads_in_one_statement(reading)))
    return Expression(str(longest))


def delicate_arrays(reading: Reading) -> frozenset[str]:
    """Arrays whose elements are divided by, or go into a root, a logarithm or a power."""
    return frozenset(
        access.array
        for access in reading.accesses
        if access.mode is Mode.READ
        and (_is_delicate(access.node) or any(_is_delicate(use) for use in _named_uses(access)))
    )


def searched_arrays(reading: Reading) -> frozenset[str]:
    """Arrays whose element in the middle of a range that is halved is read: a search in an ascending array."""
    return frozenset(
        access.array
        for access in reading.accesses
        if any(
            symbol.is_middle and access.index == Polynomial.name(symbol.name)
            for symbol in reading.symbols.of(access.index)
        )
    )


def _named_uses(access: Access) -> "Iterable[Node]":
    """Where an element is used by the name that a local gives it: `const Option& o = options[i];`, `float d = b[i];`."""
    made = access.node.parent
    declarator = made.child_by_field_name("declarator") if made is not None and made.type == "init_declarator" else None
    if made is None or declarator is None or made.child_by_field_name("value") != access.node:
        return
    name = text_of(declarator).lstrip("*& ")
    for node in walk(access.at.function.body):
        if node.type == "identifier" and text_of(node) == name and node.start_byte > made.end_byte:
            declared = find_declaration(node, name, access.at.function)
            if declared is not None and declared.node.id == made.id:
                yield node


def symbols_behind(value: Polynomial, reading: Reading) -> set[str]:
    """The symbols of a subscript, and those that their ranges name."""
    found: set[str] = set()
    waiting = list(value.names)
    while waiting:
        name = waiting.pop()
        if name in found or name not in reading.symbols.known:
            continue
        found.add(name)
        symbol = reading.symbols.known[name]
        waiting += [inner for limit in (symbol.low, symbol.high) if limit is not None for inner in limit.names]
    return found


def _feeds(access: Access, reading: Reading) -> bool:
    """Whether a read of a written array may see another iteration's result: its subscript is not the one written."""
    return any(
        other.array == access.array and other.mode is not Mode.READ and other.index != access.index
        for other in reading.accesses
    )


def _reads_in_one_statement(reading: Reading) -> int:
    """Elements that one statement combines, at most: the terms of a stencil written out."""
    counts = Counter(_statement(access.node).id for access in reading.accesses if access.mode is Mode.READ)
    return max(counts.values(), default=1)


def _statement(node: "Node") -> "Node":
    while node.parent is not None and not node.type.endswith(("statement", "declaration")):
        node = node.parent
    return node


def _sums(reading: Reading) -> "Iterable[tuple[tuple[Nest, ...], set[str]]]":
    """(loops around, variables that choose the sum) of each `+=`: on an array's element, and on a local variable."""
    seen: set[int] = set()
    for access in reading.accesses:
        if access.mode is Mode.UPDATE:
            yield access.nests, set(access.index.names)
        for store in walk(access.at.function.body):
            operator = store.child_by_field_name("operator")
            target = store.child_by_field_name("left")
            if store.type != "assignment_expression" or store.id in seen or operator is None or target is None:
                continue
            seen.add(store.id)
            if target.type == "identifier" and (text_of(operator) in _SUMS or _adds_itself(store)):
                declared = find_declaration(target, text_of(target), access.at.function)
                nests = _nests_of(store, reading)
                yield nests, {nest.symbol for nest in nests if declared is not None and _encloses(nest, declared.node)}


def _adds_itself(store: "Node") -> bool:
    right, left = store.child_by_field_name("right"), store.child_by_field_name("left")
    if right is None or left is None or right.type != "binary_expression" or text_of(right.children[1]) not in "+-":
        return False
    return any(text_of(part) == text_of(left) for part in walk(right) if part.type == "identifier")


def _nests_of(node: "Node", reading: Reading) -> tuple[Nest, ...]:
    """The loops around a statement: the longest chain of known loops whose innermost contains it."""
    found: tuple[Nest, ...] = ()
    for nests in reading.nests:
        if nests and len(nests) > len(found) and _encloses(nests[-1], node):
            found = nests
    return found


def _encloses(nest: Nest, node: "Node") -> bool:
    loop = nest.loop.node
    return loop.start_byte <= node.start_byte and node.end_byte <= loop.end_byte


def _is_delicate(node: "Node") -> bool:
    inside, outer = node, node.parent
    while outer is not None and outer.type.endswith(("expression", "argument_list")):
        if outer.type == "call_expression":
            called = outer.child_by_field_name("function")
            if called is not None and text_of(called).rpartition("::")[2] in _DELICATE_CALLS:
                return True
        if outer.type == "subscript_expression":
            return False
        if (
            outer.type == "binary_expression"
            and text_of(outer.children[1]) == "/"
            and outer.children[2].id == inside.id
        ):
            return True
        if outer.type == "assignment_expression":
            operator, right = outer.child_by_field_name("operator"), outer.child_by_field_name("right")
            return operator is not None and text_of(operator) == "/=" and right is not None and right.id == inside.id
        inside, outer = outer, outer.parent
    return False
