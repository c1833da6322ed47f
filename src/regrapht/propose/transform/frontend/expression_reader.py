"""Expressions of tree-sitter's C++ syntax tree to the engine's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from regrapht.propose.transform.frontend.bound_values import bound_value, computed
from regrapht.propose.transform.frontend.callees import Callee
from regrapht.propose.transform.frontend.defaults import Defaults, with_defaults
from regrapht.propose.transform.frontend.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
)
from regrapht.propose.transform.frontend.macros import is_taken_apart
from regrapht.propose.transform.frontend.ranges import extreme_value, range_value
from regrapht.propose.transform.frontend.scalar_types import canonical
from regrapht.propose.transform.frontend.scope import Binding, Macro, Pointer, Record, Scope, Spent, Unbracketed, refuse
from regrapht.propose.transform.frontend.structs import Structs, field_value
from regrapht.propose.transform.frontend.syntax import SourceText, SyntaxNode
from regrapht.propose.transform.frontend.vectors import method_place, method_value

if TYPE_CHECKING:
    from regrapht.propose.transform.frontend.effects import Effects

_MATH_NAMES = """
abs acos asin atan atan2 cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot isfinite isinf isnan
ldexp lgamma llrint llround log log10 log1p log2 lrint lround max min nearbyint pow remainder rint round signbit sin sinh sqrt tan tanh
tgamma trunc
"""
_MATH = frozenset(_MATH_NAMES.split())
_TAKEN_NAMES = """
acosh asinh atanh clock cospi cyl_bessel_i0 cyl_bessel_i1 dim3 double2 erfcinv erfcx erfinv exp10 float2 float4 frexp ilogb int2 j0 j1 jn
lerp logb modf mul24 mulhi nextafter norm norm3d norm4d normcdf normcdfinv rcbrt remquo rhypot rnorm rnorm3d rnorm4d rsqrt saturate scalbln
scalbn sincos sincospi sinpi tanpi umax umin umul24 umulhi y0 y1 yn
"""
_TAKEN = frozenset(_TAKEN_NAMES.split())
"""What else CUDA, or the library of a newer C++, has under its own name."""
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


def is_math(name: str) -> bool:
    """Whether CUDA has a function of this name with the meaning of C's standard library."""
    return name in _MATH or (name.endswith("f") and name[:-1] in _MATH)


def helper_name(name: str) -> str:
    """The name of a helper in generated code: its own, unless CUDA has something of that name."""
    taken = is_math(name) or name in _TAKEN or (name.endswith("f") and name[:-1] in _TAKEN)
    return f"own_{name}" if taken else name


def counted_bits(name: str, values: tuple[Expression, ...]) -> Expression | None:
    """CUDA's function for one of the compiler's that count bits; None for others. Where those are undefined, this is something."""
    found = re.fullmatch(r"__builtin_(popcount|ctz|clz)(l|ll)?", name)
    if found is None or len(values) != 1:
        return None
    wide = "ll" if found[2] else ""
    value = Cast("unsigned long long" if wide else "unsigned int", values[0])
    if found[1] == "ctz":
        return Binary("-", Call(f"__ffs{wide}", (value,)), Number("1", 1))
    return Call(f"__{'popc' if found[1] == 'popcount' else 'clz'}{wide}", (value,))


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
            raise refuse(f"type '{text}' of {what}", line, "scalars and arrays of integers, float and double are taken")
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
        return inliner.callees.get(f"operator{operator}", ()) if inliner is not None else ()

    def pointer(self, node: SyntaxNode, scope: Scope) -> Pointer | None:
        """The place in an array that `node` points to; None when it is no pointer."""
        text = self.source.text
        if node.type == "identifier":
            found = scope.find(text(node))
            return found if isinstance(found, Pointer) else None
        if node.type == "parenthesized_expression":
            return self.pointer(node.named_children[0], scope)
        if node.type == "update_expression":
            return self._moved_pointer(node, scope)
        if node.type == "call_expression":
            return method_place(self, node, scope)
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
        if isinstance(found, Unbracketed):
            raise refuse(f"macro '{name}' without brackets", line, "put brackets around its value")
        if found is None or isinstance(found, Macro):
            if name in _NAMED:
                return Number(name)
            raise refuse(f"'{name}' is no parameter, local or constant of this file", line, "pass it as a parameter")
        return found

    def _field(self, node: SyntaxNode, scope: Scope) -> Expression:
        found = field_value(self, node, scope)
        if found is None or isinstance(found, Pointer | Macro | Spent | Unbracketed | Record):
            what = f"'{self.source.text(node)}' is no scalar field of a plain struct"
            raise refuse(what, self.source.line(node), "structs of numbers and of arrays of constant length are taken")
        return found

    def _parenthesised(self, node: SyntaxNode, scope: Scope) -> Expression:
        return self.read(node.named_children[0], scope)

    def _binary(self, node: SyntaxNode, scope: Scope) -> Expression:
        written = self.source.text(node.child_by_field_name("operator"))
        operator = {"and": "&&", "or": "||"}.get(written, written)
        sides = [node.child_by_field_name(side) for side in ("left", "right")]
        if operator in ("==", "!=") and (same := self._same_place(sides, scope)) is not None:
            return Number("true" if same == (operator == "==") else "false", int(same == (operator == "==")))
        if self.operators(operator):
            value = computed(self, node, scope)
            if not isinstance(value, Expression):
                raise refuse(f"the struct '{self.source.text(node)}' is used as a value", self.source.line(node))
            return value
        left = self.read(sides[0], scope)
        if operator in ("&&", "||") and self.effects is not None:
            return self.effects.both(operator, left, lambda: self.read(sides[1], scope), node)
        return Binary(operator, left, self.read(sides[1], scope))

    def _same_place(self, sides: list[SyntaxNode], scope: Scope) -> bool | None:
        """Whether two names point to the same array; None where they are no such pointers."""
        if any(side.type != "identifier" for side in sides):
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
        found = scope.find(name)
        if self.effects is not None and self.effects.reader.callees(node, scope):
            value = self.effects.reader.inlined_value(node, scope)
            if not isinstance(value, Expression):
                raise refuse(f"the struct '{self.source.text(node)}' is used as a value", line, "use its fields")
            return value
        if self.effects is not None and (summed := range_value(self.effects.reader, node, scope)) is not None:
            return summed
        values = tuple(self.read(argument, scope) for argument in arguments)
        if isinstance(found, Macro):
            return self._expand(node, found, values, scope)
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
        if (known := counted_bits(name, values)) is not None:
            return known
        if name == "clamp" and len(values) == 3:
            value, low, high = values
            return Conditional(Binary("<", value, low), low, Conditional(Binary("<", high, value), high, value))
        raise refuse(
            f"call of the unknown function '{name}'", line, "define it in the same file as a function of scalars"
        )

    def _expand(self, call: SyntaxNode, macro: Macro, values: tuple[Expression, ...], scope: Scope) -> Expression:
        name, line = self.source.text(call.child_by_field_name("function")), self.source.line(call)
        if len(values) != len(macro.parameters):
            raise refuse(f"macro '{name}' takes {len(macro.parameters)} arguments", line)
        text = SourceText(f"auto x = {macro.body};", line, self.source)
        reader = self.within(text) if self.effects is None else self.effects.reader.within(text).expressions
        body = reader.source.first("init_declarator").child_by_field_name("value")
        written = call.child_by_field_name("arguments").named_children
        if is_taken_apart(body, text, list(zip(macro.parameters, written, values, strict=True)), call, self.source):
            raise refuse(f"macro '{name}' without brackets", line, "put brackets around its parameters and its value")
        hidden: dict = {name: Spent(name)}  # a macro does not expand itself
        return reader.read(body, scope.inner(hidden | dict(zip(macro.parameters, values, strict=True))))

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
    "parenthesized_expression": ExpressionReader._parenthesised,
    "field_expression": ExpressionReader._field,
    "binary_expression": ExpressionReader._binary,
    "unary_expression": ExpressionReader._unary,
    "pointer_expression": ExpressionReader._dereference,
    "subscript_expression": ExpressionReader._subscript,
    "conditional_expression": ExpressionReader._conditional,
    "cast_expression": ExpressionReader._cast,
    "call_expression": ExpressionReader._call,
    "compound_literal_expression": ExpressionReader._listed,
    "update_expression": ExpressionReader._increment,
    "assignment_expression": ExpressionReader._assignment,
}
