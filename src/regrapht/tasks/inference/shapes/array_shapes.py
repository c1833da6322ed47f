"""From all accesses to one array to its shape: flattened subscripts are taken apart into dimensions where that is certain."""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from regrapht.records.expression import Expression
from regrapht.source.polynomial import Polynomial, total
from regrapht.source.syntax import line_of, text_of
from regrapht.tasks.inference.accesses.accesses import Access
from regrapht.tasks.inference.accesses.conditions import Condition, inequalities
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.shapes.coverage import is_written_first
from regrapht.tasks.inference.values.bounds import ONE, Symbols, Unbounded, require_short
from regrapht.tasks.inference.values.loops import has_break, loop_nodes_around

if TYPE_CHECKING:
    from tree_sitter import Node

_BRANCHING = ("if_statement", "conditional_expression", "switch_statement", "while_statement", "binary_expression")
_WIDEST_BORDER = 4
_PITCH = re.compile(r"ld\w{0,2}|.*(pitch|leading|line_?size|row_?bytes|bytes_?per_?(row|line)).*")
_STRIDE = re.compile(r".*(stride|step|width|rowlen|row_len).*")
_SAMPLE_SIZE = 997  # a prime above any constant stride, to order strides by


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayShape:
    """The extents of one array, and what else its accesses tell."""

    extents: tuple[Polynomial, ...]
    data_limits: dict[str, Polynomial]
    """Index array -> number that its contents must stay below."""
    written_whole: bool
    """Whether every element is written before any is read, on every path."""
    row_lengths: tuple[tuple[str, Polynomial], ...] = ()
    """(size, what it must be at least), where rows lie apart by a size of their own: a pitch, a leading dimension."""


def array_shape(
    accesses: Sequence[Access],
    symbols: Symbols,
    *,
    extent_of_data: Callable[[Access], Polynomial] | None = None,
    pitches: frozenset[str] = frozenset(),
) -> ArrayShape:
    """The smallest shape, as far as the code says, that holds all of one array's accesses.

    Args:
        accesses: All accesses to the array.
        symbols: What the subscripts are made of.
        extent_of_data: The outer extent of an array that only data say the place in, from one such access.
        pitches: Sizes that no row is longer than.

    Raises:
        Unbounded: The code does not say how far they reach.
    """
    for access in accesses:
        _require_inside(access, symbols)
    strides = _in_whole_rows(_strides(accesses, symbols, pitches), pitches)
    rows: dict[tuple[str, Polynomial], None] = {}
    split = _split_all(accesses, strides, symbols, pitches, rows)
    if split is None:
        strides = [ONE]
        split = [[access.index] for access in accesses]
        rows = {}
    inner = [_ratio(wide, narrow) for wide, narrow in itertools.pairwise(strides)]
    outer = _outer_extent(accesses, [digits[0] for digits in split], symbols, extent_of_data)
    extents = (outer, *inner)
    for extent in extents:
        require_short(extent, f"an extent of {accesses[0].array!r}", line_of(accesses[0].node), array=accesses[0].array)
    limits: dict[str, Polynomial] = {}
    for digits in split:
        for digit, extent in zip(digits, extents, strict=True):
            for array, limit in data_limits(digit, extent, symbols):
                limits[array] = symbols.smallest(limits[array], limit) if array in limits else limit
    whole = _is_written_whole(accesses, split, extents, symbols) or is_written_first(accesses, split, extents, symbols)
    return ArrayShape(extents=extents, data_limits=limits, written_whole=whole, row_lengths=tuple(rows))


def _require_inside(access: Access, symbols: Symbols) -> None:
    """Refuse an element that certainly lies before the array's first: the caller then hands over more than an array.

    Under a condition the range says too little, and the code is trusted.
    """
    loose = [symbol for symbol in symbols.of(access.index) if symbol.is_loose]
    for symbol in loose:
        if symbol.low is None and symbol.name not in access.not_negative:
            what = f"{text_of(access.node)!r}, which may be negative: it depends on {symbol.what.rstrip(',')},"
            raise Unbounded(what, line_of(access.node), array=access.array)
    if loose:
        return
    inside: Node | None = access.node
    while inside is not None and inside.id != access.at.function.body.id:
        before = inside.prev_named_sibling
        while before is not None:
            if before.type == "if_statement":
                return
            before = before.prev_named_sibling
        inside = inside.parent
        if inside is not None and inside.type in _BRANCHING:
            return
    try:
        least = symbols.lower(access.index, positive=access.positive(symbols))
    except Unbounded:
        return
    if access.at.always_runs and least.terms and (-least).is_never_negative():
        what = f"{text_of(access.node)!r}, which lies before the first element,"
        raise Unbounded(what, line_of(access.node), array=access.array)


def aligned(shapes: Mapping[str, ArrayShape]) -> dict[str, ArrayShape]:
    """The shapes, with an array that is only touched inside (`n - 1` rows) given the border (`n`) that another of its kind has."""
    return {
        name: replace(shape, extents=(_with_border(shape, shapes), *shape.extents[1:]))
        for name, shape in shapes.items()
    }


def _with_border(shape: ArrayShape, shapes: Mapping[str, ArrayShape]) -> Polynomial:
    outer = shape.extents[0]
    names = [names for names in outer.terms if names]
    missing = -outer.terms.get((), 0)
    if shape.written_whole or len(names) != 1 or outer.terms[names[0]] != 1 or not 0 < missing <= _WIDEST_BORDER:
        return outer
    whole = outer + Polynomial.constant(missing)
    return whole if any(other.extents == (whole, *shape.extents[1:]) for other in shapes.values()) else outer


def _strides(accesses: Sequence[Access], symbols: Symbols, pitches: frozenset[str]) -> list[Polynomial]:
    """What the symbols of the subscripts are multiplied by, widest first, down to 1."""
    found = {ONE}
    known: dict[Polynomial, None] = {}
    for access in accesses:
        positive = access.positive(symbols)
        known |= dict.fromkeys(positive)
        for symbol in symbols.of(access.index):
            factor, _ = access.index.split(symbol.name)
            if symbols.of(factor) or not factor.is_never_negative(positive):
                return [ONE]
            require_short(factor, f"a stride of {access.array!r}", line_of(access.node), array=access.array)
            found.add(factor)
    return sorted(found, key=lambda stride: _sampled(stride, tuple(known), pitches), reverse=True)


def _sampled(value: Polynomial, positive: tuple[Polynomial, ...], pitches: frozenset[str]) -> tuple[float, bool, float]:
    """An order of strides by size: quotients such as `(w - k) // s`, which alike sizes would make 0, count as much as a size.

    So does what is positive, such as `w - 2 * r`. A pitch is wider than another size.
    """
    expression = Expression(str(value))
    exact = float(expression.evaluate(dict.fromkeys(expression.names, _SAMPLE_SIZE)))
    terms = value.in_terms_of(positive).terms.items()
    size = float(sum(factor * _SAMPLE_SIZE ** len(names) for names, factor in terms))
    return size, bool(value.names & pitches), exact


def _in_whole_rows(strides: Sequence[Polynomial], pitches: frozenset[str]) -> list[Polynomial]:
    """The strides without those inside of a row that is as long as a pitch and need not hold them a whole number of times.

    In `y * pitch + 3 * x + c` the place in the row is `3 * x + c`.
    """
    kept = list(strides[:1])
    for stride in strides[1:]:
        if not (kept[-1].names & pitches and kept[-1].divide(stride)[1].terms):
            kept.append(stride)
    return kept


def _ratio(wide: Polynomial, narrow: Polynomial) -> Polynomial:
    quotient, _ = wide.divide(narrow)
    return quotient


def _split_all(
    accesses: Sequence[Access],
    strides: list[Polynomial],
    symbols: Symbols,
    pitches: frozenset[str],
    rows: dict[tuple[str, Polynomial], None],
) -> list[list[Polynomial]] | None:
    """Each subscript as one number for each stride; None where that is not certain."""
    for wide, narrow in itertools.pairwise(strides):
        if wide.divide(narrow)[1].terms:
            return None
    split = [_split(access, strides, symbols, pitches, rows) for access in accesses]
    return None if any(digits is None for digits in split) else [digits for digits in split if digits is not None]


def _split(
    access: Access,
    strides: list[Polynomial],
    symbols: Symbols,
    pitches: frozenset[str],
    rows: dict[tuple[str, Polynomial], None],
) -> list[Polynomial] | None:
    rest, digits = access.index, []
    for position, stride in enumerate(strides):
        if position == len(strides) - 1:
            digits.append(rest)
            break
        mine = [Polynomial.name(symbol.name) for symbol in symbols.of(rest) if rest.split(symbol.name)[0] == stride]
        fixed = total(Polynomial({m: v}) for m, v in rest.terms.items() if not symbols.of(Polynomial({m: v})))
        shift = _shift(fixed, stride, [s.name for s in symbols.of(rest) if rest.split(s.name)[0] != stride], symbols)
        digit = total(mine) + shift
        digits.append(digit)
        rest = rest - digit * stride
    for digit, (wide, narrow) in zip(digits[1:], itertools.pairwise(strides), strict=True):
        try:
            room = _ratio(wide, narrow) - ONE - _highest(digit, access, symbols)
        except Unbounded:
            if _data_reach(digit, symbols) is None:
                return None
            continue
        if not room.is_never_negative(access.positive(symbols)):
            pitch = str(_ratio(wide, narrow))
            length = _highest(digit, access, symbols) + ONE
            if pitch not in pitches or any(pitch in name for name in length.names):
                return None
            rows[pitch, length] = None
    return digits


def longest_rows(
    shapes: Iterable[ArrayShape], further: Iterable[tuple[str, Polynomial]] = ()
) -> list[tuple[str, Polynomial]]:
    """What each pitch must be at least, as `ArrayShape.row_lengths`, and `further` ones, without those that another one always covers."""
    pairs = list(dict.fromkeys((*(pair for shape in shapes for pair in shape.row_lengths), *further)))
    return [
        (pitch, length)
        for pitch, length in pairs
        if not any(other != length and (other - length).is_never_negative() for name, other in pairs if name == pitch)
    ]


def _highest(value: Polynomial, access: Access, symbols: Symbols) -> Polynomial:
    return symbols.upper(value, access.tighter, positive=access.positive(symbols))


def pitch_names(accesses: Sequence[Access], symbols: Symbols, integers: frozenset[str]) -> frozenset[str]:
    """Sizes that rows lie apart by and that are named so: `lda`, `src_pitch`.

    A `stride`, which windows that overlap have too, only where something is written with it, or where rows of pixels are read.
    """
    found = {name for name in integers if _PITCH.fullmatch(name.lower())}
    strided = {name for name in integers if _STRIDE.fullmatch(name.lower())}
    placed = {name for access in accesses if access.mode is not Mode.READ for name in access.index.names}
    for access in accesses:
        factors = {symbol.name: access.index.split(symbol.name)[0] for symbol in symbols.of(access.index)}
        if access.mode is not Mode.READ:
            found |= {name for factor in factors.values() if len(factor.terms) == 1 for name in factor.names & strided}
        else:
            pixels = {name: factor for name, factor in factors.items() if name in placed}
            found |= {name for name in strided if _holds_pixels(Polynomial.name(name), pixels, factors, symbols)}
    return frozenset(found)


def _holds_pixels(
    row: Polynomial, pixels: Mapping[str, Polynomial], factors: Mapping[str, Polynomial], symbols: Symbols
) -> bool:
    """Whether rows that lie `row` apart are read by elements of several parts, as in `y * stride + 3 * x + c`.

    Args:
        row: What the rows lie apart by.
        pixels: What loops that also say where something is written are multiplied by in the subscript; those of windows do not.
        factors: What all its symbols are multiplied by.
        symbols: What the subscript is made of.
    """
    if row not in factors.values():
        return False
    inner = [symbols.known[name].high for name, factor in factors.items() if factor == ONE]
    for parts in pixels.values():
        several = (parts.as_constant or 0) > 1 or any(high is not None and high + ONE == parts for high in inner)
        multiples = [factor for factor in factors.values() if not factor.divide(row * parts)[1].terms]
        if several and not multiples:  # else `stride` is a step between windows in rows of `parts` elements
            return True
    return False


def _shift(fixed: Polynomial, stride: Polynomial, inner: list[str], symbols: Symbols) -> Polynomial:
    """The part of a subscript's constant that belongs to `stride`: exact for a symbolic stride, by range for a number."""
    number, constant = stride.as_constant, fixed.as_constant
    if number is None or constant is None:
        whole, rest = fixed.divide(stride)
        before = rest.as_constant is not None and rest.as_constant < 0 and not inner
        return whole - ONE if before else whole  # s * n + n - 1 is the last of row s, not one before row s + 1
    down = constant // number
    try:
        most = symbols.upper(total(Polynomial.name(name) for name in inner)).as_constant
    except Unbounded:
        return Polynomial.constant(down)
    fits = most is not None and constant - down * number + most < number
    return Polynomial.constant(down if fits else down + 1)


def data_limits(
    digit: Polynomial, extent: Polynomial, symbols: Symbols, *, typed: bool = False
) -> list[tuple[str, Polynomial]]:
    """What the index arrays behind a subscript must stay below, so that it stays below `extent`.

    With `typed`, also those whose type bounds them already, such as bytes.
    """
    reach = _data_reach(digit, symbols, typed=typed)
    if reach is None:
        return []
    arrays, rest = reach
    if len(arrays) == 1:
        return [(arrays[0], extent - rest)]
    room = (extent - ONE - rest).as_operand
    share = Polynomial.name(f"({room} // {len(arrays)})") + ONE
    return [(array, share) for array in arrays]


def _data_reach(value: Polynomial, symbols: Symbols, *, typed: bool = False) -> tuple[list[str], Polynomial] | None:
    """A value as elements of index arrays, of unknown size, and a rest at most; None where it is none."""
    while True:
        moving = [symbol for symbol in symbols.of(value) if not (symbol.data_array and (typed or symbol.high is None))]
        if not moving:
            break
        factor, _ = value.split(moving[0].name)
        end = moving[0].high if factor.is_never_negative() else moving[0].low
        if end is None or symbols.of(factor):
            return None
        value = value.substitute(moving[0].name, end)
    arrays: list[str] = []
    for symbol in symbols.of(value):
        factor, rest = value.split(symbol.name)
        if factor.as_constant is not None and factor.as_constant < 0:
            value = rest  # it is at least 0
            continue
        if factor != ONE or symbol.data_array is None:
            return None
        arrays.append(symbol.data_array)
        value = rest
    return (arrays, value) if arrays else None


def _outer_extent(
    accesses: Sequence[Access],
    digits: Sequence[Polynomial],
    symbols: Symbols,
    extent_of_data: Callable[[Access], Polynomial] | None,
) -> Polynomial:
    extent: Polynomial | None = None
    unknown: Access | None = None
    why: Unbounded | None = None
    for access, digit in zip(accesses, digits, strict=True):
        try:
            reach = _highest(digit, access, symbols) + ONE
        except Unbounded as error:
            if _data_reach(digit, symbols) is None:
                raise _unknown(access, error) from error
            unknown, why = access, _unknown(access, error)
            continue
        extent = reach if extent is None else symbols.largest(extent, reach)
    if extent is None and unknown is not None and extent_of_data is not None:
        return extent_of_data(unknown)
    if extent is None:
        raise why or Unbounded("no access", 0)
    return extent


def _unknown(access: Access, error: Unbounded) -> Unbounded:
    what = f"{text_of(access.node)!r}, which depends on {error.what},"
    return Unbounded(what, line_of(access.node), array=access.array)


def _is_written_whole(
    accesses: Sequence[Access], split: Sequence[list[Polynomial]], extents: Sequence[Polynomial], symbols: Symbols
) -> bool:
    pairs = list(zip(accesses, split, strict=True))
    if _is_written_one_by_one(accesses, extents) or _is_filled_first(accesses, extents):
        return True
    for access, digits in pairs:
        if access.mode is not Mode.WRITE or not _covers(access, digits, extents, symbols):
            continue
        if not _is_unconditional(access, accesses):
            continue
        others = [(other, there) for other, there in pairs if other.mode is not Mode.WRITE]
        if all(_comes_after(access, digits, other, there) for other, there in others):
            return True
    return False


def _covers(access: Access, digits: Sequence[Polynomial], extents: Sequence[Polynomial], symbols: Symbols) -> bool:
    for digit, extent in zip(digits, extents, strict=True):
        if digit.as_constant == 0 and extent == ONE:
            continue
        found = symbols.of(digit)
        if len(found) != 1 or digit != Polynomial.name(found[0].name):
            return False
        symbol = found[0]
        if not symbol.dense or symbol.high is None or symbols.of(symbol.high) or symbol.high + ONE != extent:
            return False
    return len({s.name for d in digits for s in symbols.of(d)}) == sum(1 for d in digits if symbols.of(d))


def _is_unconditional(access: Access, accesses: Sequence[Access]) -> bool:
    if not access.at.always_runs or any(has_break(nest.loop.node) for nest in access.nests):
        return False
    if len(loop_nodes_around(access.node, access.at.function.body)) > len(access.nests):
        return False  # one of them may make no turn
    threads = {name.removeprefix(access.at.prefix).split("@")[0] for name in access.index.names}
    kernel = "__global__" in access.at.function.qualifiers
    tests = [condition for condition in access.conditions if not (kernel and _bounds_threads(condition, threads))]
    if not tests:
        return True
    if len(tests) != 1 or tests[0].leaves:
        return False
    return any(
        other.mode is Mode.WRITE
        and other.index == access.index
        and len(other.conditions) == 1
        and other.conditions[0].place == tests[0].place
        and other.conditions[0].holds != tests[0].holds
        for other in accesses
    )


def _bounds_threads(condition: Condition, threads: set[str]) -> bool:
    """Whether a kernel's test only keeps surplus threads out, which the range of a thread's index says already."""
    tests = inequalities(condition.test, holds=condition.holds)
    return bool(tests) and all(text_of(left) in threads for left, _, _ in tests)


def _is_written_one_by_one(accesses: Sequence[Access], extents: Sequence[Polynomial]) -> bool:
    """Whether constant subscripts outside of all loops store every element: `out[0] = ...; out[1] = ...;`."""
    plain = [
        a
        for a in accesses
        if a.mode is Mode.WRITE
        and a.at.always_runs
        and not a.conditions
        and not a.nests
        and a.index.as_constant is not None
    ]
    stored = {access.index.as_constant for access in plain}
    count = extents[0].as_constant if len(extents) == 1 else None
    reads = [access for access in accesses if access.mode is not Mode.WRITE]
    return count is not None and not reads and stored == set(range(count))


def _is_filled_first(accesses: Sequence[Access], extents: Sequence[Polynomial]) -> bool:
    """Whether a `memset` or the like fills the whole array before anything else touches it."""
    first = min(accesses, key=lambda access: access.node.start_byte)
    if first.filled_from is None or any(access.at is not first.at for access in accesses):
        return False
    whole = ONE
    for extent in extents:
        whole = whole * extent
    always = first.at.always_runs and not first.conditions and not first.nests
    return always and not first.filled_from.terms and first.index + ONE == whole


def _stored_at(write: Access) -> int:
    """Where in the text a write happens: behind the right side of its assignment, which is evaluated first."""
    assignment = write.node.parent
    while assignment is not None and assignment.type != "assignment_expression":
        assignment = assignment.parent
    return (assignment or write.node).end_byte


def _comes_after(write: Access, digits: Sequence[Polynomial], other: Access, there: Sequence[Polynomial]) -> bool:
    """Whether `other` only sees what `write` stored before: it stands behind it, and in the loops that both are in, at the same place."""
    if write.at is not other.at:  # which call comes first is not followed
        return False
    if other.node.start_byte < _stored_at(write):
        return False
    shared = {nest.symbol for nest in write.nests} & {nest.symbol for nest in other.nests}
    return all(mine == theirs or not mine.names & shared for mine, theirs in zip(digits, there, strict=True))
