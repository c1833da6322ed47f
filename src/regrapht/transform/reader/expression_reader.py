"""Expressions of tree-sitter's C++ syntax tree to the engine's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
)
from regrapht.transform.ir.math_functions import counted_bits, helper_name, is_math
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, Spent, refuse, require_set
from regrapht.transform.reader.bound_values import bound_value, computed
from regrapht.transform.reader.byte_counts import size_of
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.defaults import Defaults, with_defaults
from regrapht.transform.reader.library_calls import library_refusal, type_refusal
from regrapht.transform.reader.methods import indexed
from regrapht.transform.reader.ranges import extreme_value, range_value
from regrapht.transform.reader.structs import Structs, field_value
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.vectors import method_place, method_value

if TYPE_CHECKING:
    from regrapht.transform.reader.effects import Effects

_NAMED = {
    "INFINITY",
    "NAN",
    "FLT_MAX",
    "FLT_MIN",
    "FLT_EPSILON",
    "DBL_MAX",
    "DBL_MIN",
    "DBL_EPSILON",
    "INT_MAX",
    "INT_MIN",
    "M_PI",
}
_CASTS = {"static_cast"}
_OF_PLACES = ("-", "==", "!=", "<", "<=", ">", ">=")
_PLACES = ("data", "begin", "cbegin", "end", "cend", "get")
TRUE, FALSE = Number("true", 1), Number("false", 0)


class ExpressionReader:
    """Reads expressions; names come from a `Scope`, constants of the file are in its outermost one."""

    def __init__(
        self,
        source: SourceText,
        aliases: Mapping[str, str],
        helpers: Mapping[str, Defaults],
        structs: Structs | None = None,
    ) -> None:
        self.source, self.aliases, self.helpers = source, aliases, helpers
        self.structs = structs or Structs({}, set(), {}, {})
        self.effects: Effects | None = None
        """Where changes inside expressions go; None where none is allowed."""

    def within(self, source: SourceText) -> ExpressionReader:
        """A reader for another piece of text that means the same by its names; effects are not allowed there."""
        return ExpressionReader(source, self.aliases, self.helpers, self.structs)

    def type_name(self, text: str, line: int, what: str) -> str:
        found = canonical(text, self.aliases)
        if found is None:
            raise type_refusal(self.source, text, line, what)
        return found

    def read(self, node: SyntaxNode, scope: Scope) -> Expression:
        """The expression at `node`.

        Raises:
            CannotTransform: It has a side effect, or is of a kind that the engine does not take.
        """
        reader = _READERS.get(node.type)
        if reader is None:
            raise refuse(
                f"expression '{self.source.text(node)}' ({node.type.replace('_', ' ')})", self.source.line(node)
            )
        return reader(self, node, scope)

    def bound(self, node: SyntaxNode, scope: Scope) -> Binding:
        """What an expression stands for: a value, a place that a pointer points to, or the fields of a struct."""
        return bound_value(self, node, scope)

    def operators(self, operator: str) -> tuple[Callee, ...]:
        """The file's own functions for an operator."""
        inliner = self.effects.reader.inliner if self.effects is not None else None
        own = tuple(
            one for struct in self.structs.methods for one in self.structs.functions(struct, f"operator{operator}")
        )
        return (*inliner.callees.get(f"operator{operator}", ()), *own) if inliner is not None else ()

    def pointer(self, node: SyntaxNode, scope: Scope) -> Pointer | None:
        """The place in an array that `node` points to; None when it is no pointer."""
        text = self.source.text
        if node.type == "identifier":
            found = scope.find(text(node))
            if isinstance(found, Pointer):
                require_set(found, text(node), self.source.line(node))
            return found if isinstance(found, Pointer) else None
        if node.type == "parenthesized_expression":
            return self.pointer(node.named_children[0], scope)
        if node.type == "update_expression":
            return self._moved_pointer(node, scope)
        if node.type == "call_expression":
            given = node.child_by_field_name("arguments").named_children
            if text(node.child_by_field_name("function")) == "std::move" and len(given) == 1:
                return self.pointer(given[0], scope)
            found = self._found_place(node, scope)
            return found if found is not None else method_place(self, node, scope)
        if node.type == "field_expression":
            held = field_value(self, node, scope)
            return held if isinstance(held, Pointer) else None
        if node.type == "binary_expression" and text(node.child_by_field_name("operator")) in ("+", "-"):
            left = self.pointer(node.child_by_field_name("left"), scope)
            right = node.child_by_field_name("right")
            if left is None and text(node.child_by_field_name("operator")) == "+":
                right_pointer = self.pointer(right, scope)
                return right_pointer and right_pointer.moved(self.read(node.child_by_field_name("left"), scope))
            if left is None:
                return None
            by = self.read(right, scope)
            return left.moved(by if text(node.child_by_field_name("operator")) == "+" else Unary("-", by))
        if node.type == "subscript_expression":
            base = self.pointer(node.child_by_field_name("argument"), scope)
            if base is None:
                return None
            indices = node.child_by_field_name("indices").named_children
            return base.subscripted(self.read(indices[0], scope))
        if node.type == "pointer_expression" and text(node).startswith("&"):
            place = self.pointer(node.child_by_field_name("argument"), scope)
            if place is None or not place.prefix:
                return None
            return Pointer(place.array, place.rank, place.prefix[:-1], place.prefix[-1])
        return None

    def _found_place(self, node: SyntaxNode, scope: Scope) -> Pointer | None:
        """The place that a search of the standard library finds."""
        from regrapht.transform.reader.found_places import finds_place, found_place

        if self.effects is None or not finds_place(self.source, node):
            return None
        return found_place(self.effects.reader, node, scope)

    def _moved_pointer(self, node: SyntaxNode, scope: Scope) -> Pointer | None:
        """The place that `p++` points to, the step being noted."""
        if self.effects is None or self.pointer(node.child_by_field_name("argument"), scope) is None:
            return None
        moved = self.effects.increment(node, scope)
        return moved if isinstance(moved, Pointer) else None

    # ---- one method for each kind of node

    def _number(self, node: SyntaxNode, scope: Scope) -> Expression:
        text = self.source.text(node)
        if text[0] in "+-":  # tree-sitter takes a sign before a literal as part of it
            return (
                Unary(text[0], self._literal(text[1:].strip())) if text[0] == "-" else self._literal(text[1:].strip())
            )
        return self._literal(text)

    @staticmethod
    def _literal(text: str) -> Number:
        digits = text.replace("'", "")
        whole = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)", digits)
        return Number(digits, int(whole[1], 0) if whole and not re.fullmatch(r"0\d+", whole[1]) else None)

    def _truth(self, node: SyntaxNode, scope: Scope) -> Expression:
        return Number(self.source.text(node), int(node.type == "true"))

    def _character(self, node: SyntaxNode, scope: Scope) -> Expression:
        text = self.source.text(node)
        return Number(text, ord(text[1]) if len(text) == 3 else None)

    def _identifier(self, node: SyntaxNode, scope: Scope) -> Expression:
        name, line = self.source.text(node), self.source.line(node)
        found = scope.find(name)
        if isinstance(found, Pointer):
            raise refuse(f"the pointer '{name}' is used as a value", line, "index it instead")
        if isinstance(found, Record):
            raise refuse(f"the struct '{name}' is used as a value", line, "use its fields")
        if isinstance(found, Spent):
            raise refuse(
                f"'{name}' is read after the loop that counts it", line, "keep the value in a variable of its own"
            )
        if found is None:
            if name in _NAMED:
                return Number(name)
            raise refuse(f"'{name}' is no parameter, local or constant of this file", line, "pass it as a parameter")
        return found

    def _qualified(self, node: SyntaxNode, scope: Scope) -> Expression:
        """A constant of an enumeration, such as `Mode::FAST`."""
        parts = re.sub(r"\s+", "", self.source.text(node)).split("::")
        found = scope.find("::".join(parts[-2:]))
        if not isinstance(found, Expression):
            what = f"'{self.source.text(node)}' is no constant of an enumeration of this file"
            raise refuse(what, self.source.line(node), "give it a name of its own")
        return found

    def _field(self, node: SyntaxNode, scope: Scope) -> Expression:
        found = field_value(self, node, scope)
        if found is None or isinstance(found, Pointer | Spent | Record):
            what = f"'{self.source.text(node)}' is no scalar field of a plain struct"
            raise refuse(what, self.source.line(node), "structs of numbers and of arrays of constant length are taken")
        return found

    def _parenthesised(self, node: SyntaxNode, scope: Scope) -> Expression:
        return self.read(node.named_children[0], scope)

    def _binary(self, node: SyntaxNode, scope: Scope) -> Expression:
        written = self.source.text(node.child_by_field_name("operator"))
        operator = {"and": "&&", "or": "||"}.get(written, written)
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        if operator in _OF_PLACES and all(self.begins_with_pointer(side, scope) for side in sides):
            return self._places(operator, sides, scope, node)
        if operator in ("==", "!=") and (same := self._same_place(sides, scope)) is not None:
            return TRUE if same == (operator == "==") else FALSE
        if self.operators(operator):
            value = computed(self, node, scope)
            if not isinstance(value, Expression):
                raise refuse(f"the struct '{self.source.text(node)}' is used as a value", self.source.line(node))
            return value
        if operator not in ("&&", "||"):
            return Binary(operator, self.read(sides[0], scope), self.read(sides[1], scope))
        left = self.condition(sides[0], scope)
        if left in (TRUE, FALSE):
            return self.condition(sides[1], scope) if (left == TRUE) == (operator == "&&") else left
        if self.effects is None:
            return Binary(operator, left, self.condition(sides[1], scope))
        return self.effects.both(operator, left, lambda: self.condition(sides[1], scope), node)

    def condition(self, node: SyntaxNode, scope: Scope) -> Expression:
        """An expression of which only the truth counts: a pointer is true, because it is never null."""
        is_pointer = node.type == "identifier" and isinstance(scope.find(self.source.text(node)), Pointer)
        return TRUE if is_pointer and self.pointer(node, scope) is not None else self.read(node, scope)

    def begins_with_pointer(self, node: SyntaxNode, scope: Scope) -> bool:
        """Whether an expression is a pointer by its first name: `p`, `p + n`, `&a[i]`, `v.end()`, `std::find(p, q, x)`."""
        from regrapht.transform.reader.found_places import finds_place

        text = self.source.text
        while node.type in ("binary_expression", "parenthesized_expression"):
            if node.type == "binary_expression" and text(node.child_by_field_name("operator")) not in ("+", "-"):
                return False
            node = node.child_by_field_name("left") or node.named_children[0]
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            is_method = function.type == "field_expression" and isinstance(
                scope.find(text(function.child_by_field_name("argument"))), Pointer
            )
            is_end = is_method and text(function.child_by_field_name("field")) in _PLACES
            return is_end or (finds_place(self.source, node) and self.effects is not None)
        if node.type == "pointer_expression":
            return text(node).startswith("&")
        return node.type == "identifier" and isinstance(scope.find(text(node)), Pointer)

    def _places(self, operator: str, sides: list[SyntaxNode], scope: Scope, node: SyntaxNode) -> Expression:
        """A comparison of two places in one array, or the distance between them."""
        line, (first, second) = self.source.line(node), (self.pointer(side, scope) for side in sides)
        if first is None or second is None:
            raise refuse(f"'{self.source.text(node)}'", line, "index the arrays")
        if (first.array, first.prefix) != (second.array, second.prefix):
            if operator in ("==", "!="):
                return FALSE if operator == "==" else TRUE
            raise refuse(f"'{self.source.text(node)}' of two arrays", line, "index the arrays")
        zero = Number("0", 0)
        one, other = first.offset or zero, second.offset or zero
        if operator in ("==", "!=") and one == other:
            return TRUE if operator == "==" else FALSE
        return one if operator == "-" and other == zero else Binary(operator, one, other)

    def _same_place(self, sides: list[SyntaxNode], scope: Scope) -> bool | None:
        """Whether two names point to the same array; None where they are no such pointers."""
        named = [side for side in sides if side.type == "identifier"]
        if len(named) == 1 and any(side.type == "null" for side in sides):
            return False if self.pointer(named[0], scope) is not None else None
        if len(named) < 2:
            return None
        first, second = (self.pointer(side, scope) for side in sides)
        if first is None or second is None or first.offset is not None or second.offset is not None:
            return None
        return first == second

    def _increment(self, node: SyntaxNode, scope: Scope) -> Expression:
        if self.effects is None:
            raise refuse(f"'{self.source.text(node)}' inside an expression", self.source.line(node))
        value = self.effects.increment(node, scope)
        if isinstance(value, Pointer):
            raise refuse(f"the pointer '{self.source.text(node)}' is used as a value", self.source.line(node))
        return value

    def _assignment(self, node: SyntaxNode, scope: Scope) -> Expression:
        if self.effects is None:
            raise refuse(f"'{self.source.text(node)}' inside an expression", self.source.line(node))
        return self.effects.assigned(node, scope)

    def _unary(self, node: SyntaxNode, scope: Scope) -> Expression:
        operator = self.source.text(node.child_by_field_name("operator"))
        if operator in ("!", "not"):
            value = self.condition(node.child_by_field_name("argument"), scope)
            return FALSE if value == TRUE else TRUE if value == FALSE else Unary("!", value)
        return Unary({"not": "!"}.get(operator, operator), self.read(node.child_by_field_name("argument"), scope))

    def _dereference(self, node: SyntaxNode, scope: Scope) -> Expression:
        if self.effects is not None and self.source.text(node)[0] == "*":
            found = extreme_value(self.effects.reader, node, scope)
            if found is not None:
                return found
        place = self.pointer(node.child_by_field_name("argument"), scope) if self.source.text(node)[0] == "*" else None
        if place is None:
            raise refuse(f"'{self.source.text(node)}' is no place in an array", self.source.line(node))
        return self.element(place.subscripted(Number("0", 0)), node)

    def _subscript(self, node: SyntaxNode, scope: Scope) -> Expression:
        place = self.pointer(node, scope)
        if place is None and (value := indexed(self, node, scope)) is not None:
            return value
        if place is None:
            raise refuse(f"'{self.source.text(node)}' is no array of plain numbers", self.source.line(node))
        return self.element(place, node)

    def element(self, place: Pointer, node: SyntaxNode) -> Expression:
        """The element at a place, for the expression `node`."""
        if len(place.prefix) != place.rank:
            raise refuse(f"'{self.source.text(node)}' is a row, not an element", self.source.line(node))
        if place.array in self.structs.of_array:
            raise refuse(
                f"the struct '{self.source.text(node)}' is used as a value", self.source.line(node), "use its fields"
            )
        return Element(place.array, place.prefix)

    def _conditional(self, node: SyntaxNode, scope: Scope) -> Expression:
        parts = [node.child_by_field_name(name) for name in ("condition", "consequence", "alternative")]
        condition = self.read(parts[0], scope)
        if self.effects is None:
            return Conditional(condition, self.read(parts[1], scope), self.read(parts[2], scope))
        reads = (lambda: self.read(parts[1], scope)), (lambda: self.read(parts[2], scope))
        return self.effects.chosen(condition, reads, node)

    def _cast(self, node: SyntaxNode, scope: Scope) -> Expression:
        written, line = self.source.text(node.child_by_field_name("type")), self.source.line(node)
        if scope.find(written) is not None:
            raise refuse(f"'{written}' is a type and a variable of this file", line, "give the variable another name")
        to = self.type_name(written, line, "a cast")
        return Cast(to, self.read(node.child_by_field_name("value"), scope))

    def _size_of(self, node: SyntaxNode, scope: Scope) -> Expression:
        types = self.effects.reader.types if self.effects is not None else {}
        size = size_of(self, node, scope, types)
        if size is None:
            raise refuse(f"'{self.source.text(node)}'", self.source.line(node), "write the number of bytes")
        return Number(f"{size}ull", size)

    def _listed(self, node: SyntaxNode, scope: Scope) -> Expression:
        """`float{x}` and `T{}`."""
        written, line = self.source.text(node.child_by_field_name("type")), self.source.line(node)
        if self.structs.named(written, self.aliases) is not None:
            raise refuse(f"the struct '{self.source.text(node)}' is used as a value", line, "use its fields")
        given = [n for n in node.child_by_field_name("value").named_children if n.type != "comment"]
        if len(given) > 1:
            raise refuse(f"'{self.source.text(node)}'", line, "one value makes a number")
        value = self.read(given[0], scope) if given else Number("0", 0)
        return Cast(self.type_name(written, line, f"'{self.source.text(node)}'"), value)

    def _call(self, node: SyntaxNode, scope: Scope) -> Expression:
        function, line = node.child_by_field_name("function"), self.source.line(node)
        arguments = node.child_by_field_name("arguments").named_children
        name = self.source.text(function)
        if function.type == "parenthesized_expression" and canonical(name[1:-1].strip(), self.aliases):
            name = name[1:-1].strip()  # `(real)(x)`, which looks like a call while nothing says what is a type
        template = re.fullmatch(r"(?:std::)?(\w+)\s*<(.*)>", name, re.S)
        if function.type == "field_expression" and (held := method_value(self, node, scope)) is not None:
            return held
        if template and template[1] in _CASTS:
            return Cast(self.type_name(template[2], line, "a cast"), self.read(arguments[0], scope))
        if function.type == "primitive_type" or (canonical(name, self.aliases) and len(arguments) == 1):
            return Cast(self.type_name(name, line, "a cast"), self.read(arguments[0], scope))
        if name.startswith("std::numeric_limits"):
            return self._limit(name, line)
        if self.effects is not None and self.effects.reader.callees(node, scope):
            value = self.effects.reader.inlined_value(node, scope)
            if not isinstance(value, Expression):
                raise refuse(f"the struct '{self.source.text(node)}' is used as a value", line, "use its fields")
            return value
        if self.effects is not None:
            from regrapht.transform.reader.algorithms import algorithm_value

            for known in (range_value, algorithm_value):
                if (found := known(self.effects.reader, node, scope)) is not None:
                    return found
        if name.removeprefix("std::") in ("max", "min") and [one.type for one in arguments] == ["initializer_list"]:
            listed = [self.read(one, scope) for one in arguments[0].named_children]
            return reduce(lambda one, other: Call(name.removeprefix("std::"), (one, other)), listed)
        is_own = function.type == "field_expression" or name.removeprefix("::") in self.helpers
        if not is_own and (refusal := library_refusal(self.source, node)) is not None:
            raise refusal
        values = tuple(self.read(argument, scope) for argument in arguments)
        name = (template[1] if template else name).removeprefix("std::").removeprefix("::")
        if not self.source.text(function).startswith("std::") and name.rpartition("::")[2] in self.helpers:
            name = name.rpartition("::")[2]
        if name in self.helpers:
            return Call(helper_name(name), with_defaults(name, values, self.helpers[name], line))
        if template and name in ("max", "min"):
            to = self.type_name(template[2], line, "a call")
            values = tuple(Cast(to, value) for value in values)
        if is_math(name):
            return Call(name, values)
        if (counted := counted_bits(name, values)) is not None:
            return counted
        if name == "clamp" and len(values) == 3:
            value, low, high = values
            return Conditional(Binary("<", value, low), low, Conditional(Binary("<", high, value), high, value))
        what_helps = "define it in the same file as a function of scalars"
        if function.type == "field_expression":
            what_helps = "functions of structs are taken where the struct is in the same file, without bases and virtual functions"
        raise refuse(f"call of the unknown function '{name}'", line, what_helps)

    def _limit(self, name: str, line: int) -> Expression:
        parts = re.fullmatch(r"std::numeric_limits\s*<(.*)>::(\w+)", name)
        if parts is None:
            raise refuse(f"'{name}'", line)
        of, what = parts.groups()
        type_name = self.type_name(of, line, "a limit")
        known = {
            ("float", "max"): "FLT_MAX",
            ("double", "max"): "DBL_MAX",
            ("float", "min"): "FLT_MIN",
            ("double", "min"): "DBL_MIN",
            ("float", "epsilon"): "FLT_EPSILON",
            ("double", "epsilon"): "DBL_EPSILON",
            ("float", "lowest"): "-FLT_MAX",
            ("double", "lowest"): "-DBL_MAX",
            ("float", "infinity"): "INFINITY",
            ("double", "infinity"): "INFINITY",
            ("int", "max"): "INT_MAX",
            ("int", "min"): "INT_MIN",
            ("int", "lowest"): "INT_MIN",
        }
        if (type_name, what) not in known:
            raise refuse(f"'{name}'", line)
        text = known[type_name, what]
        return Unary("-", Number(text[1:])) if text.startswith("-") else Number(text)


_READERS: dict[str, Callable[[ExpressionReader, SyntaxNode, Scope], Expression]] = {
    "number_literal": ExpressionReader._number,
    "char_literal": ExpressionReader._character,
    "true": ExpressionReader._truth,
    "false": ExpressionReader._truth,
    "identifier": ExpressionReader._identifier,
    "qualified_identifier": ExpressionReader._qualified,
    "parenthesized_expression": ExpressionReader._parenthesised,
    "field_expression": ExpressionReader._field,
    "binary_expression": ExpressionReader._binary,
    "unary_expression": ExpressionReader._unary,
    "pointer_expression": ExpressionReader._dereference,
    "subscript_expression": ExpressionReader._subscript,
    "conditional_expression": ExpressionReader._conditional,
    "cast_expression": ExpressionReader._cast,
    "sizeof_expression": ExpressionReader._size_of,
    "call_expression": ExpressionReader._call,
    "compound_literal_expression": ExpressionReader._listed,
    "update_expression": ExpressionReader._increment,
    "assignment_expression": ExpressionReader._assignment,
}
