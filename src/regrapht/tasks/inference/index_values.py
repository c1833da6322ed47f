"""The value of an integer expression of the code, as a polynomial over sizes and symbols."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.bounds import ONE, ZERO, Symbol, Symbols, Unbounded
from regrapht.tasks.inference.loops import Loop, loop_of, loops_around, loops_testing, step_of, stores_below
from regrapht.tasks.inference.polynomial import Polynomial
from regrapht.tasks.inference.scope import Activation, Declaration, file_constant, find_declaration, stores_to
from regrapht.tasks.inference.walking import moved_by

if TYPE_CHECKING:
    from tree_sitter import Node

VectorLength = Callable[[str, Activation, "IndexValues"], Polynomial | None]
_INTEGER = re.compile(r"(-?0[xX][0-9a-fA-F]+|-?[0-9]+)[uUlLzZ]*")
_SMALL_TYPES = {"unsigned char": 255, "uint8_t": 255, "unsigned short": 65535, "uint16_t": 65535}
_THREAD = re.compile(r"\b(threadIdx|blockIdx)\b")
_ATOM_OPERATORS = {"/": "//", "%": "%"}
_DEPTH = 60


class IndexValues:
    """Reads integer expressions; remembers the symbols that it meets in `symbols`.

    Args:
        vector_length: The length that a local vector is declared with, by its name; None where that is not to be seen.
    """

    def __init__(self, symbols: Symbols, *, vector_length: "VectorLength | None" = None) -> None:
        self.symbols, self._vector_length = symbols, vector_length
        self._depth = 0

    def value(self, node: "Node", at: Activation) -> Polynomial:
        """The expression's value.

        Raises:
            Unbounded: It is no polynomial, and its range is not known either.
        """
        self._depth += 1
        try:
            if self._depth > _DEPTH:
                raise Unbounded(f"{_short(node)} is nested too deeply", line_of(node))
            return self._value(node, at)
        finally:
            self._depth -= 1

    def _value(self, node: "Node", at: Activation) -> Polynomial:
        match node.type:
            case "number_literal" if match := _INTEGER.fullmatch(text_of(node).replace("'", "")):
                return Polynomial.constant(_whole(match.group(1)))
            case "identifier":
                return self._name(node, at)
            case "parenthesized_expression" | "cast_expression":
                return self.value(node.child_by_field_name("value") or node.named_children[0], at)
            case "unary_expression" if text_of(node.children[0]) in "+-":
                inner = self.value(_field(node, "argument"), at)
                return -inner if text_of(node.children[0]) == "-" else inner
            case "binary_expression":
                return self._binary(node, at)
            case "conditional_expression":
                ends = [self.value(_field(node, side), at) for side in ("consequence", "alternative")]
                return self._choice(node, at, ends, is_min=False)
            case "update_expression":
                return self._stepped(node, at)
            case "call_expression":
                return self._call(node, at)
            case "subscript_expression":
                return self._element(node, at)
        raise Unbounded(f"{_short(node)!r}", line_of(node))

    def _stepped(self, node: "Node", at: Activation) -> Polynomial:
        """`i++` or `++i` as a value."""
        target = _field(node, "argument")
        value = self.value(target, at)
        before = node.children[0].id != target.id
        return value + Polynomial.constant(step_of(node) or 0) if before else value

    def _name(self, node: "Node", at: Activation) -> Polynomial:
        name = text_of(node)
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
        stores = stores_to(name, at.function)
        if stores and declared.value is not None and all(is_step(store) for store in stores):
            block = declared.node.parent.parent if declared.node.parent is not None else None
            return self.value(declared.value, at) + self.moved(node, stores, block or at.function.body, at)
        if declared.value is None or stores:
            return self._clamped(node, key, declared.value, stores, at)
        return self.value(declared.value, at)

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
            return Polynomial.constant(_whole(match.group(1)))
        if constant is None or isinstance(constant, str):
            raise Unbounded(f"{name!r}", line_of(node))
        return self.value(constant, at)

    def loop_range(self, loop: Loop, at: Activation) -> tuple[Polynomial, Polynomial, bool]:
        """`Loop.range` with the values of this activation.

        Raises:
            Unbounded: As `Loop.range`.
        """
        if loop.start is None and loop.name not in at.values:
            raise Unbounded(f"{loop.name!r}", line_of(loop.node))
        given = at.values.get(loop.name, ZERO)
        return loop.range(lambda part: self.value(part, at), given)

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

    def _clamped(
        self, node: "Node", key: str, first: "Node | None", stores: "list[Node]", at: Activation
    ) -> Polynomial:
        """A local that is corrected later: `if (row > h - 1) row = h - 1;` bounds it, anything else does not."""
        name, high, low = text_of(node), None, None
        for store in stores:
            right = store.child_by_field_name("right")
            condition = _condition_around(store)
            sides = _comparison(condition) if condition is not None else None
            if right is None or sides is None or sides[0] != name:
                raise Unbounded(f"{name!r}, which changes its value,", line_of(store))
            if sides[1] in (">", ">="):
                high = self.value(right, at)
            else:
                low = self.value(right, at)
        if first is not None and (high is None or low is None):
            started = self.value(first, at)
            high, low = high if high is not None else started, low if low is not None else started
        return self.symbols.add(Symbol(name=key, low=low, high=high, line=line_of(node), what=f"{name!r}"))

    def _binary(self, node: "Node", at: Activation) -> Polynomial:
        operator = text_of(_field(node, "operator"))
        left, right = self.value(_field(node, "left"), at), self.value(_field(node, "right"), at)
        shift = right.as_constant
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "<<" if shift is not None and 0 <= shift < 63:
                return left * Polynomial.constant(2**shift)
            case ">>" if shift is not None and 0 <= shift < 63:
                operator, right = "/", Polynomial.constant(2**shift)
            case "&" if shift is not None and shift >= 0:
                return self._range(node, at, high=right)
            case "/" | "%":
                pass
            case _:
                raise Unbounded(f"{_short(node)!r}", line_of(node))
        return self._quotient(node, at, operator, (left, right))

    def _quotient(
        self, node: "Node", at: Activation, operator: str, sides: tuple[Polynomial, Polynomial]
    ) -> Polynomial:
        """`left / right` or `left % right` of numbers that are not negative."""
        left, right = sides
        least = self.symbols.lower(right)
        if not (least - ONE).is_never_negative():
            raise Unbounded(f"{_short(node)!r}, whose divisor may be 0", line_of(node))
        if left.as_constant is not None and right.as_constant is not None:
            a, b = left.as_constant, right.as_constant
            return Polynomial.constant(a // b if operator == "/" else a % b)
        if not self.symbols.of(left) and not self.symbols.of(right):
            return Polynomial.name(f"({left.as_operand} {_ATOM_OPERATORS[operator]} {right.as_operand})")
        if operator == "%":
            return self._range(node, at, high=self.symbols.upper(right) - ONE)
        most = self.symbols.upper(left)
        return self._range(node, at, high=Polynomial.name(f"({most.as_operand} // {least.as_operand})"))

    def _call(self, node: "Node", at: Activation) -> Polynomial:
        called = text_of(_field(node, "function"))
        given = [child for child in _field(node, "arguments").named_children if child.type != "comment"]
        if called.startswith("static_cast<") and len(given) == 1:
            return self.value(given[0], at)
        bare = re.sub(r"<.*", "", called).rpartition("::")[2]
        if bare in ("min", "max") and len(given) == 2:
            return self._choice(node, at, [self.value(part, at) for part in given], is_min=bare == "min")
        if bare == "clamp" and len(given) == 3:
            low, high = (self.value(part, at) for part in given[1:])
            return self._range(node, at, high=high, low=low)
        if (sized := re.fullmatch(r"(\w+)\.size", called)) and self._vector_length is not None:
            length = self._vector_length(sized[1], at, self)
            if length is not None:
                return length
        raise Unbounded(f"the result of {_short(node)!r}", line_of(node))

    def _choice(self, node: "Node", at: Activation, ends: list[Polynomial], *, is_min: bool) -> Polynomial:
        """One of two values. A minimum is below both, so the simpler one, without symbols, bounds it."""
        if is_min:
            low = None
            high = min(ends, key=lambda end: (len(self.symbols.of(end)), len(end.names)))
            if all(self.symbols.lower(end).is_never_negative() for end in ends):
                low = ZERO
        else:
            highs = [self.symbols.upper(end) for end in ends]
            high = self.symbols.largest(highs[0], highs[1])
            plain = [end for end in ends if end.as_constant is not None]
            low = plain[0] if plain else self.symbols.lower(ends[0])
        return self._range(node, at, high=high, low=low)

    def _element(self, node: "Node", at: Activation) -> Polynomial:
        name = text_of(_field(node, "argument"))
        parameter = next((p for p in at.function.parameters if p.name == name), None)
        if parameter is None or name not in at.arrays:
            raise Unbounded(f"the contents of {name!r}", line_of(node))
        most = _SMALL_TYPES.get(parameter.type_text.replace("std::", ""))
        high = Polynomial.constant(most) if most is not None else None
        array = at.arrays[name]
        symbol = Symbol(
            name=f"{at.prefix}{array}[]@{node.start_byte}",
            low=ZERO,
            high=high,
            line=line_of(node),
            what=f"the contents of {array!r}",
            data_array=array,
        )
        return self.symbols.add(symbol)

    def _range(self, node: "Node", at: Activation, *, high: Polynomial, low: Polynomial | None = ZERO) -> Polynomial:
        name = f"{at.prefix}value@{node.start_byte}:{node.end_byte}"
        return self.symbols.add(Symbol(name=name, low=low, high=high, line=line_of(node), what=repr(_short(node))))


def _key(loop: Loop, at: Activation) -> str:
    return f"{at.prefix}{loop.name}@{loop.node.start_byte}"


def _whole(digits: str) -> int:
    """A C integer: hexadecimal, octal (a leading 0) or decimal."""
    bare = digits.lstrip("-").lower()
    base = (
        16
        if bare.startswith("0x")
        else 8
        if bare.startswith("0") and bare.isdigit() and set(bare) <= set("01234567")
        else 10
    )
    return int(bare, base) * (-1 if digits.startswith("-") else 1)


def is_step(store: "Node") -> bool:
    """Whether a store adds to the variable: `i++`, `i += n`."""
    operator = store.child_by_field_name("operator")
    return step_of(store) is not None or (operator is not None and text_of(operator) in ("+=", "-="))


def comparisons(function: FunctionDefinition) -> "list[tuple[str, str, Node]]":
    """Every comparison `name < bound` in the function, as (name, operator, bound)."""
    found = (_comparison(node) for node in walk(function.body) if node.type == "binary_expression")
    return [test for test in found if test is not None]


def _comparison(node: "Node") -> "tuple[str, str, Node] | None":
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None or left.type != "identifier":
        return None
    return (text_of(left), text_of(operator), right) if text_of(operator) in ("<", "<=", ">", ">=") else None


def _condition_around(store: "Node") -> "Node | None":
    node = store.parent
    while node is not None and node.type in ("expression_statement", "compound_statement"):
        node = node.parent
    if node is None or node.type != "if_statement":
        return None
    condition = _field(node, "condition")
    return condition.child_by_field_name("value") or condition.named_children[0]


def _field(node: "Node", name: str) -> "Node":
    child = node.child_by_field_name(name)
    if child is None:
        raise Unbounded(f"{_short(node)!r}", line_of(node))
    return child


def _short(node: "Node") -> str:
    return " ".join(text_of(node).split())[:60]
