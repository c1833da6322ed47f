"""The value of an integer expression of the code, as a polynomial over sizes and symbols."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of
from regrapht.tasks.inference.values.bounds import ONE, ZERO, Symbol, Symbols, Unbounded
from regrapht.tasks.inference.values.index_syntax import (
    Limit,
    clamp_of,
    comparisons,
    field_of,
    is_extreme,
    is_never_negative,
    is_only_subscripted,
    is_step,
    less_and_more,
    shortened,
    whole_number,
)
from regrapht.tasks.inference.values.lambda_values import value_of_call
from regrapht.tasks.inference.values.loops import (
    Loop,
    loop_of,
    loops_around,
    loops_testing,
    step_of,
    stores_below,
)
from regrapht.tasks.inference.values.machine_integers import (
    cast_type,
    converted,
    integer_type,
    joined_bits,
    masked,
    shared_part,
)
from regrapht.tasks.inference.values.moving import Bisection, moved_by
from regrapht.tasks.inference.values.returned import returned
from regrapht.tasks.inference.values.scope import (
    Activation,
    Declaration,
    changed_by_calls,
    file_constant,
    find_declaration,
    stores_to,
)
from regrapht.tasks.inference.values.stored_values import halved, is_stored, stored, stores_to_elements

if TYPE_CHECKING:
    from tree_sitter import Node

VectorLength = Callable[[str, Activation, "IndexValues"], Polynomial | None]
PointerPlace = Callable[["Node", Activation, "IndexValues"], tuple[str, Polynomial] | None]
_INTEGER = re.compile(r"(-?0[xX][0-9a-fA-F]+|-?[0-9]+)[uUlLzZ]*")
_SMALL_TYPES = {"unsigned char": 255, "uint8_t": 255, "unsigned short": 65535, "uint16_t": 65535}
_THREAD = re.compile(r"\b(threadIdx|blockIdx)\b")
_ATOM_OPERATORS = {"/": "//", "%": "%"}
_DEPTH = 60


class IndexValues:
    """Reads integer expressions; remembers the symbols that it meets in `symbols`.

    Args:
        vector_length: The length that a local vector is declared with, by its name; None where that is not to be seen.
        pointer_place: Where a pointer points, for loops from one to another and for subscripts that are read through one.
        contents: Array of the entry -> largest value in it; None for one that the code fills with what is not known.
        types: Array of the entry -> its element's type as written, without `std::`.
    """

    def __init__(
        self,
        symbols: Symbols,
        *,
        vector_length: "VectorLength | None" = None,
        pointer_place: "PointerPlace | None" = None,
        contents: Mapping[str, Polynomial | None] | None = None,
        types: Mapping[str, str] | None = None,
    ) -> None:
        self.symbols, self._vector_length, self._contents = symbols, vector_length, contents or {}
        self._pointer_place = pointer_place
        self._types = types or {}
        self.bisections: dict[str, Mapping[str, Bisection]] = {}
        self._changed: dict[str, dict[str, str]] = {}
        self._depth = 0
        self.settling: set[str] = set()

    def value(self, node: "Node", at: Activation) -> Polynomial:
        """The expression's value, as its type holds it.

        Raises:
            Unbounded: It is no polynomial, and its range is not known either.
        """
        self._depth += 1
        try:
            if self._depth > _DEPTH:
                raise Unbounded(f"{shortened(node)} is nested too deeply", line_of(node))
            return self._value(node, at)
        finally:
            self._depth -= 1

    def _value(self, node: "Node", at: Activation) -> Polynomial:
        match node.type:
            case "number_literal" if match := _INTEGER.fullmatch(text_of(node).replace("'", "")):
                return Polynomial.constant(whole_number(match.group(1)))
            case "identifier":
                return self._name(node, at)
            case "parenthesized_expression":
                return self.value(node.named_children[0], at)
            case "cast_expression":
                value = self.value(field_of(node, "value"), at)
                return converted(self, node, at, value, integer_type(self, node, at))
            case "unary_expression" if text_of(node.children[0]) in "+-":
                inner = self.value(field_of(node, "argument"), at)
                return -inner if text_of(node.children[0]) == "-" else inner
            case "binary_expression":
                return self._binary(node, at)
            case "conditional_expression":
                if (limits := clamp_of(node)) is not None:
                    return self._clamped(node, limits, at)
                is_min, is_max = is_extreme(node)
                ends = [self.value(field_of(node, side), at) for side in ("consequence", "alternative")]
                if not (is_min or is_max):
                    is_min, is_max = self._is_extreme_by_one(node, ends, at)
                return self._choice(node, at, ends, is_min=is_min, is_max=is_max)
            case "update_expression":
                return self._stepped(node, at)
            case "call_expression":
                return self._call(node, at)
            case "pointer_expression":
                return self._dereferenced(node, at)
            case "subscript_expression" | "field_expression":
                return self._element(node, at)
        raise Unbounded(f"{shortened(node)!r}", line_of(node))

    def _stepped(self, node: "Node", at: Activation) -> Polynomial:
        """`i++` or `++i` as a value."""
        target = field_of(node, "argument")
        value = self.value(target, at)
        before = node.children[0].id != target.id
        return value + Polynomial.constant(step_of(node) or 0) if before else value

    def _name(self, node: "Node", at: Activation) -> Polynomial:
        name = text_of(node)
        if at.prefix not in self._changed:
            self._changed[at.prefix] = changed_by_calls(at)
        if (changer := self._changed[at.prefix].get(name)) is not None:
            raise Unbounded(f"{name!r}, which {changer!r} may change,", line_of(node))
        declared = find_declaration(node, name, at.function)
        if declared is None:
            return self._outer_name(node, at)
        key = f"{at.prefix}{name}@{declared.node.start_byte}"
        if declared.is_loop:
            return self._in_head(node, declared, key, at)
        if key in self.symbols.known:
            return Polynomial.name(key)
        if (loop := self._counting_loop(node, name, at)) is not None:
            return self._counted(node, loop, at)
        if declared.value is not None and _THREAD.search(text_of(declared.value)):
            return self._thread_index(node, key, at)
        if (middle := halved(self, node, name, key, at)) is not None:
            return middle
        stores = [store for store in stores_to(name, at.function) if is_stored(store, name, declared, at)]
        block = (declared.node.parent.parent if declared.node.parent is not None else None) or at.function.body
        if stores and declared.value is not None and all(is_step(store) for store in stores):
            with suppress(Unbounded):
                return self.value(declared.value, at) + self.moved(node, stores, block, at)
        if declared.value is None or stores:
            return stored(self, node, key, (name, declared.value, stores, block), at)
        try:
            return converted(self, node, at, self.value(declared.value, at), integer_type(self, node, at))
        except Unbounded as error:  # a condition may still bound it
            low = ZERO if is_never_negative(declared.value, at) else None
            symbol = Symbol(name=key, low=low, high=None, line=error.line, what=error.what, is_loose=True)
            return self.symbols.add(symbol)

    def _outer_name(self, node: "Node", at: Activation) -> Polynomial:
        name = text_of(node)
        if name in at.values:
            if (loop := self._counting_loop(node, name, at)) is not None:
                return self._counted(node, loop, at)
            if stores_to(name, at.function):
                raise Unbounded(f"{name!r}, which the code changes", line_of(node))
            return at.values[name]
        constant = file_constant(name, at.unit, node)
        if isinstance(constant, str) and (match := _INTEGER.fullmatch(constant.strip("() "))):
            return Polynomial.constant(whole_number(match.group(1)))
        if constant is None or isinstance(constant, str):
            raise Unbounded(f"{name!r}", line_of(node))
        return self.value(constant, at)

    def loop_range(self, loop: Loop, at: Activation) -> tuple[Polynomial, Polynomial, bool]:
        """`Loop.range` with the values of this activation.

        Raises:
            Unbounded: As `Loop.range`.
        """
        pointer = loop.name in at.arrays
        if loop.start is None and loop.name not in at.values and not pointer:
            raise Unbounded(f"{loop.name!r}", line_of(loop.node))
        given = at.offsets.get(loop.name, ZERO) if pointer else at.values.get(loop.name, ZERO)
        return loop.range(lambda part: self._end(part, at), given)

    def _end(self, node: "Node", at: Activation) -> Polynomial:
        """What a loop starts or ends at: a number, or how far into its array a pointer points."""
        place = self._pointer_place(node, at, self) if self._pointer_place is not None else None
        return place[1] if place is not None else self.value(node, at)

    def points_into_task(self, node: "Node", at: Activation) -> bool:
        """Whether an expression is a pointer into an array of the task."""
        try:
            return self._pointer_place is not None and self._pointer_place(node, at, self) is not None
        except Unbounded:
            return True  # to a place in it that is not known

    def moved(self, use: "Node", stores: "list[Node]", within: "Node", at: Activation) -> Polynomial:
        """How far steps have moved a variable or pointer, declared in `within`, where `use` stands.

        Raises:
            Unbounded: As `moved_by`.
        """

        def turn(loop: Loop) -> tuple[Polynomial, Polynomial, str]:
            low, high, _ = self.loop_range(loop, at)
            if loop.step not in (1, -1) or loop.is_loose:
                raise Unbounded(f"{text_of(use)!r}, in a loop of other steps than one,", line_of(use))
            variable = self._loop_variable(loop, at)
            return (variable - low if loop.step == 1 else high - variable), high - low + ONE, _key(loop, at)

        return moved_by(use, stores, within, turn=turn, value=lambda part: self.value(part, at))

    def _in_head(self, node: "Node", declared: Declaration, key: str, at: Activation) -> Polynomial:
        """A variable that the head of a `for` declares: the one that counts, or one that moves along."""
        loop, name = loop_of(declared.node), text_of(node)
        if loop.name == name:
            return self._counted(node, loop, at)
        stores = stores_below(declared.node, name)
        assert declared.value is not None
        start = self.value(declared.value, at)
        if all(is_step(store) for store in stores):
            outside = declared.node.parent or at.function.body
            return start + (self.moved(node, stores, outside, at) if stores else ZERO)
        ends = [start]
        for store in stores:
            right = store.child_by_field_name("right")
            operator = store.child_by_field_name("operator")
            if right is None or operator is None or text_of(operator) != "=":
                raise Unbounded(f"{name!r}, which changes its value,", line_of(store))
            inner = right.child_by_field_name("argument") if right.type == "update_expression" else right
            ends.append(self.value(inner or right, at))
        high = self.symbols.upper(ends[0])
        for end in ends[1:]:
            high = self.symbols.largest(high, self.symbols.upper(end))
        low = ZERO if all(self.symbols.lower(end).is_never_negative() for end in ends) else None
        return self.symbols.add(Symbol(name=key, low=low, high=high, line=line_of(node), what=f"{name!r}"))

    def _counting_loop(self, node: "Node", name: str, at: Activation) -> Loop | None:
        """The loop around `node` that counts `name` without declaring it."""
        stores = stores_to(name, at.function)
        if not stores:
            return None
        around = [*loops_around(node, at.function.body), *loops_testing(node, at.function.body)]
        loops = [loop for loop in around if loop.name == name]
        own = loops[-1] if loops else None
        return own if own is not None and own.store in (None, *stores) else None

    def _counted(self, node: "Node", loop: Loop, at: Activation) -> Polynomial:
        """The value of a loop's variable; behind the step in the body, that of the next turn."""
        value = self._loop_variable(loop, at)
        tested = loop.node.child_by_field_name("condition")
        in_test = tested is not None and tested.start_byte <= node.start_byte < tested.end_byte
        if in_test and loop.node not in [other.node for other in loops_testing(node, at.function.body)]:
            raise Unbounded(f"{loop.name!r}, read before its loop has compared it,", line_of(node))
        head = loop.node.child_by_field_name("update")
        if head is not None and head.start_byte <= node.start_byte < head.end_byte:
            moved = any(store.end_byte <= node.start_byte for store in stores_below(head, loop.name))
            return value + Polynomial.constant(loop.step or 0) if moved else value
        body = loop.node.child_by_field_name("body")
        inside = body is not None and body.start_byte <= node.start_byte < body.end_byte
        store = loop.store
        if store is None or not inside or store.start_byte <= node.start_byte < store.end_byte:
            return value
        if node.start_byte < store.end_byte and store.start_byte > loop.node.start_byte and body is not None:
            by_test = store.end_byte <= body.start_byte
            return value + Polynomial.constant(loop.step or 0) if by_test else value
        return value + Polynomial.constant(loop.step or 0)

    def _loop_variable(self, loop: Loop, at: Activation) -> Polynomial:
        key = _key(loop, at)
        if key in self.symbols.known:
            return Polynomial.name(key)
        low, high, dense = self.loop_range(loop, at)
        symbol = Symbol(
            name=key, low=low, high=high, line=line_of(loop.node), what=f"loop variable {loop.name!r}", dense=dense
        )
        return self.symbols.add(symbol)

    def _thread_index(self, node: "Node", key: str, at: Activation) -> Polynomial:
        """A thread's index, bounded by the comparisons that keep surplus threads out: by the widest of them."""
        high: Polynomial | None = None
        for name, operator, bound in comparisons(at.function):
            if name == text_of(node) and operator in ("<", ">="):
                most = self.symbols.upper(self.value(bound, at)) - ONE
                high = most if high is None else self.symbols.largest(high, most)
        symbol = Symbol(
            name=key, low=ZERO, high=high, line=line_of(node), what=f"thread index {text_of(node)!r}", dense=True
        )
        return self.symbols.add(symbol)

    def _binary(self, node: "Node", at: Activation) -> Polynomial:
        operator = text_of(field_of(node, "operator"))
        if operator in ("&", "|", "^"):
            return masked(self, node, at) if operator == "&" else joined_bits(self, node, at)
        left = shared_part(self, node, at) if operator in (">>", "%") else self.value(field_of(node, "left"), at)
        right = self.value(field_of(node, "right"), at)
        shift = right.as_constant
        match operator:
            case "+" | "-" | "*":
                value = left + right if operator == "+" else left - right if operator == "-" else left * right
                return converted(self, node, at, value, integer_type(self, node, at))
            case "<<" if shift is not None and 0 <= shift < 63:
                value = left * Polynomial.constant(2**shift)
                return converted(self, node, at, value, integer_type(self, node, at))
            case ">>" if shift is not None and 0 <= shift < 63:
                operator, right = "/", Polynomial.constant(2**shift)
            case "/" | "%":
                pass
            case _:
                raise Unbounded(f"{shortened(node)!r}", line_of(node))
        return self._quotient(node, at, operator, (left, right))

    def _quotient(
        self, node: "Node", at: Activation, operator: str, sides: tuple[Polynomial, Polynomial]
    ) -> Polynomial:
        """`left / right` or `left % right` of numbers that are not negative."""
        left, right = sides
        least = self.symbols.lower(right)
        if not (least - ONE).is_never_negative():
            raise Unbounded(f"{shortened(node)!r}, whose divisor may be 0", line_of(node))
        if left.as_constant is not None and right.as_constant is not None:
            a, b = left.as_constant, right.as_constant
            return Polynomial.constant(a // b if operator == "/" else a % b)
        if not self.symbols.of(left) and not self.symbols.of(right):
            return Polynomial.name(f"({left.as_operand} {_ATOM_OPERATORS[operator]} {right.as_operand})")
        if operator == "%":
            return self.range_of(node, at, high=self.symbols.upper(right) - ONE)
        most = self.symbols.upper(left)
        if most.as_constant is not None and least.as_constant is not None:
            return self.range_of(node, at, high=Polynomial.constant(most.as_constant // least.as_constant))
        return self.range_of(node, at, high=Polynomial.name(f"({most.as_operand} // {least.as_operand})"))

    def _call(self, node: "Node", at: Activation) -> Polynomial:
        called = text_of(field_of(node, "function"))
        given = [child for child in field_of(node, "arguments").named_children if child.type != "comment"]
        if len(given) == 1 and (called.startswith("static_cast<") or cast_type(node, at) is not None):
            return converted(self, node, at, self.value(given[0], at), cast_type(node, at))
        bare = re.sub(r"<.*", "", called).rpartition("::")[2]
        given = given[0].named_children if [one.type for one in given] == ["initializer_list"] else given
        if (bare == "min" and len(given) > 1) or (bare == "max" and len(given) == 2):
            ends = [self.value(part, at) for part in given]
            return self._choice(node, at, ends, is_min=bare == "min", is_max=bare == "max")
        if bare == "clamp" and len(given) == 3:
            return self.range_of(node, at, low=self.value(given[1], at), high=self.value(given[2], at))
        if (value := value_of_call(self, node, field_of(node, "function"), given, at)) is not None:
            return value
        if len(found := at.unit.named(bare)) == 1:
            return returned(self, node, found[0], given, at)
        sized = re.fullmatch(r"(\w+)\.size", called) if self._vector_length is not None else None
        if sized and (length := self._vector_length(sized[1], at, self)) is not None:  # type: ignore[misc]
            return length
        raise Unbounded(f"the result of {shortened(node)!r}", line_of(node))

    def _is_extreme_by_one(self, node: "Node", ends: list[Polynomial], at: Activation) -> tuple[bool, bool]:
        """Whether `a < b ? a : b - 1` is the smaller of a and b - 1, or the larger of the like: for integers, a < b is a <= b - 1."""
        found = less_and_more(node)
        if found is None:
            return False, False
        try:
            less, more = (self.value(side, at) for side in found[:2])
        except Unbounded:
            return False, False
        taken, other = ends if found[2] else ends[::-1]

        def same(first: Polynomial, second: Polynomial) -> bool:
            return (first - second).as_constant == 0

        return same(taken, less) and same(other, more - ONE), same(taken, more) and same(other, less + ONE)

    def _clamped(self, node: "Node", limits: tuple[Limit, Limit], at: Activation) -> Polynomial:
        """`clamp` written out; each limit is its bound, or the whole number beside it."""
        low, high = (self.value(limit.value, at) for limit in limits)
        for limit, value in zip(limits, (low, high), strict=True):
            apart = (self.value(limit.bound, at) - value).as_constant
            if apart is None or abs(apart) > 1:
                raise Unbounded(f"{shortened(node)!r}", line_of(node))
        return self.range_of(node, at, high=high, low=low)

    def _choice(
        self, node: "Node", at: Activation, ends: list[Polynomial], *, is_min: bool, is_max: bool
    ) -> Polynomial:
        """One of two values. A minimum is below both, so the simpler one, without symbols, bounds it; of two sizes the smaller one."""
        if is_min:
            low = None
            high = min(ends, key=lambda end: (len(self.symbols.of(end)), len(end.names)))
            if all(end.as_constant is None and not self.symbols.of(end) for end in ends):
                high = self.symbols.smallest(*ends)
            if all(self.symbols.lower(end).is_never_negative() for end in ends):
                low = ZERO
            return self.range_of(node, at, high=high, low=low)
        highs = [self.symbols.upper(end) for end in ends]
        high = self.symbols.largest(highs[0], highs[1])
        plain = [end for end in ends if end.as_constant is not None]
        if is_max and plain:
            return self.range_of(node, at, high=high, low=plain[0])
        lows = [self.symbols.lower(end) for end in ends]
        below = (lows[1] - lows[0]).is_never_negative()
        low = lows[0] if below else lows[1] if (lows[0] - lows[1]).is_never_negative() else None
        return self.range_of(node, at, high=high, low=low)

    def element_type(self, node: "Node", at: Activation) -> str | None:
        """The type of an element of an array of the task, as written."""
        return self._types.get(at.arrays.get(text_of(field_of(node, "argument")), ""))

    def _element(self, node: "Node", at: Activation) -> Polynomial:
        """An element of an array, or one of its fields."""
        outer, node = node, node if node.type == "subscript_expression" else field_of(node, "argument")
        if node.type != "subscript_expression" or node.child_by_field_name("indices") is None:
            raise Unbounded(f"{shortened(outer)!r}", line_of(node))
        base, index = field_of(node, "argument"), field_of(node, "indices").named_children[0]
        if base.type == "identifier" and text_of(base) in at.arrays:
            name, added = text_of(base), ZERO
            with suppress(Unbounded):
                added = self.value(index, at)
                return self._data(node, at.arrays[name], at.offsets.get(name, ZERO) + added, at)
            return self._data(node, at.arrays[name], None, at)
        place = self._pointer_place(base, at, self) if self._pointer_place is not None else None
        if place is not None:
            return self._data(node, place[0], place[1] + self.value(index, at), at)
        return self._local_element(node, text_of(base), at)

    def _dereferenced(self, node: "Node", at: Activation) -> Polynomial:
        """`*p`."""
        place = None
        if text_of(node.children[0]) == "*" and self._pointer_place is not None:
            place = self._pointer_place(field_of(node, "argument"), at, self)
        if place is None:
            raise Unbounded(f"{shortened(node)!r}", line_of(node))
        return self._data(node, place[0], place[1], at)

    def _data(self, node: "Node", array: str, index: Polynomial | None, at: Activation) -> Polynomial:
        """An element of an array of the task."""
        most = _SMALL_TYPES.get(self._types.get(array, ""))
        high = Polynomial.constant(most) if most is not None else self._contents.get(array)
        changed = array in self._contents and self._contents[array] is None
        symbol = Symbol(
            name=f"{at.prefix}{array}[]@{node.start_byte}",
            low=ZERO,
            high=high,
            line=line_of(node),
            what=f"the contents of {array!r}" + (", which the code changes," if changed else ""),
            data_array=None if changed and most is None else array,
            data_index=index,
        )
        return self.symbols.add(symbol)

    def _local_element(self, node: "Node", name: str, at: Activation) -> Polynomial:
        """An element of an array that the function declares, by all that is stored in any of its elements."""
        declared = find_declaration(node, name, at.function)
        block = declared.node.parent.parent if declared is not None and declared.node.parent is not None else None
        table = file_constant(name, at.unit, node) if declared is None else None
        if table is not None and not isinstance(table, str) and table.type == "initializer_list":
            return self._of_table(node, table, at)
        if declared is None or block is None or declared.is_loop:
            raise Unbounded(f"the contents of {name!r}", line_of(node))
        if declared.value is not None or not is_only_subscripted(name, block):
            raise Unbounded(f"the contents of {name!r}", line_of(node))
        stores = stores_to_elements(name, block)
        key = f"{at.prefix}{text_of(node)}@{declared.node.start_byte}"
        return stored(self, node, key, (text_of(node), None, stores, block), at)

    def _of_table(self, node: "Node", table: "Node", at: Activation) -> Polynomial:
        """An element of a constant array of the file: what is not listed is 0."""
        listed = [self.value(one, at).as_constant for one in table.named_children if one.type != "comment"]
        known = [0, *(one for one in listed if one is not None)]
        if len(known) <= len(listed):
            raise Unbounded(f"the contents of {shortened(node)!r}", line_of(node))
        return self.range_of(node, at, high=Polynomial.constant(max(known)), low=Polynomial.constant(min(known)))

    def range_of(self, node: "Node", at: Activation, *, high: Polynomial, low: Polynomial | None = ZERO) -> Polynomial:
        name = f"{at.prefix}value@{node.start_byte}:{node.end_byte}"
        what = repr(shortened(node))
        return self.symbols.add(Symbol(name=name, low=low, high=high, line=line_of(node), what=what, is_kept=True))


def _key(loop: Loop, at: Activation) -> str:
    return f"{at.prefix}{loop.name}@{loop.node.start_byte}"
