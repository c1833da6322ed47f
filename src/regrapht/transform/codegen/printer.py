"""The engine's expressions and statements as C."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.bit_counts import counted_bits
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    mentions,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import written_out
from regrapht.transform.ir.scalar_types import is_float, is_integer, is_unsigned, promoted, size_bytes
from regrapht.transform.ir.statements import (
    BIT_OPERATORS,
    Allocate,
    Assign,
    Break,
    Continue,
    Declare,
    FieldArray,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
_UNARY = 12
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SUMS = frozenset({"+", "-"})
_BITS = frozenset({"&", "|", "^"})
AccessHook = Callable[[Element, "Printer"], str | None]
UpdateHook = Callable[[Update, "Printer"], str | None]
BlockHook = Callable[[list[Statement], "Printer"], list[str]]


def _is_misread(operator: str, inside: str) -> bool:
    """Whether compilers warn of `inside` as an operand without brackets, because readers often take it for less or more."""
    if operator == "||":
        return inside == "&&"
    if operator in ("<<", ">>"):
        return inside in _SUMS
    if operator in _COMPARISONS:
        return inside in _COMPARISONS
    return operator in _BITS and inside != operator and inside in _COMPARISONS | _SUMS | _BITS


def element_text(scop: Scop, array: str, subscript: str) -> str:
    """One element of a flat array, or of the field of an array of structs that the array stands for, counted through the field's own
    elements where it is an array."""
    held = scop.function.fields.get(array)
    if held is None:
        return f"{array}[{subscript}]"
    inside, each = "", 1
    for length in reversed(held.lengths):
        counted = f"({subscript}) / {each}" if each > 1 else f"({subscript})"
        inside, each = f"[{counted} % {length}]{inside}", each * length
    return f"{held.parameter}[{f'({subscript}) / {each}' if inside else subscript}].{held.field}{inside}"


def _field_text(held: FieldArray, first: str, rest: list[str]) -> str:
    """One element of a field of an array of structs, by its subscripts."""
    return f"{held.parameter}[{first}].{held.field}" + "".join(f"[{one}]" for one in rest)


def _calls(expression: Expression) -> bool:
    return any(isinstance(part, Call) for part in walk(expression))


def bracketed(text: str) -> str:
    """The text as an operand of any operator."""
    return text if re.fullmatch(r"[\w.\[\]]+", text) else f"({text})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printer:
    """Prints the code of one kernel.

    `replaced` are texts that stand for variables, `access` and `update` may print an element or an update in their own way and answer
    None to leave it, `block` prints lists of statements. `resigned` are names that the source counts in an unsigned type and the kernel in
    a signed one, `renamed` arrays that stand elsewhere, `streamed` arrays whose elements are touched once: their loads and stores leave
    nothing in the caches.
    """

    scop: Scop
    replaced: Mapping[str, str] = field(default_factory=dict)
    access: AccessHook | None = None
    update: UpdateHook | None = None
    block: BlockHook | None = None
    resigned: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    streamed: frozenset[str] = frozenset()
    wide: bool = False
    unroll: int = 0
    """Iterations of innermost loops of a leaf that the compiler is told to unroll; 0: left to it."""
    bits: bool = False
    """Whether loops that count bits are printed as the instruction that does."""
    instead: Mapping[str, list[Statement]] = field(default_factory=dict)
    """What leaves do in this kernel in place of their own statements, by the leaf's name."""
    flat: frozenset[str] = frozenset()
    """Local arrays that lie in memory without their shape."""
    leaf: Leaf | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Texts of the leaf's loop variables where it is printed."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Of names that are not the function's own: parameters and locals of a helper."""
    index: bool = False
    """Inside a subscript or a condition over indices, where signs do not matter."""

    def at(self, leaf: Leaf, arguments: Mapping[str, str]) -> "Printer":
        """The printer for one leaf."""
        moved = {name: text for name, text in arguments.items() if name != text}
        return replace(self, leaf=leaf, arguments=arguments, replaced={**self.replaced, **moved})

    def expression(self, expression: Expression, precedence: int = 0) -> str:
        """C text, in brackets where an operator of `precedence` around it needs them."""
        match expression:
            case Number(text=text):
                return text
            case Variable(name=name):
                return self._variable(name, precedence)
            case Binary(operator, left, right):
                own = _PRECEDENCE[operator]
                text = f"{self._operand(operator, left, own)} {operator} {self._operand(operator, right, own + 1)}"
                mixed = precedence == 1 and operator == "&&"  # compilers warn of && inside || without brackets
                return f"({text})" if own < precedence or mixed else text
            case Unary(operator, operand):
                inner = self.expression(operand, _UNARY)
                text = f"{operator}({inner})" if inner[:1] == operator else f"{operator}{inner}"
                return f"({text})" if precedence > _UNARY else text
            case Cast(to, operand):
                return f"({to}){self.expression(operand, _UNARY)}"
            case Call(function, arguments):
                name = f"std_{function}" if function in ("max", "min") and self._is_float(arguments) else function
                return f"{name}({', '.join(self._arguments(function, arguments))})"
            case Conditional(condition, then, otherwise):
                text = " ".join(
                    (self._condition(condition, 1), "?", self.expression(then, 1), ":", self.expression(otherwise, 1))
                )
                return f"({text})" if precedence else text
            case Element():
                own_way = self.access(expression, self) if self.access else None
                if own_way is None and expression.array in self.streamed:
                    return f"__ldcs(&{self.element(expression)})"
                return own_way or self.element(expression)
        raise AssertionError(expression)

    def _operand(self, operator: str, side: Expression, precedence: int) -> str:
        text = self.expression(side, precedence)
        if not isinstance(side, Binary) or not _is_misread(operator, side.operator):
            return text
        bare = _PRECEDENCE[side.operator] >= precedence and not (side.operator == "&&" and precedence == 1)
        return f"({text})" if bare else text

    def _arguments(self, function: str, arguments: tuple[Expression, ...]) -> list[str]:
        """The arguments of a call; those of a minimum or maximum in one type, or CUDA's overloads would be ambiguous."""
        if function not in ("min", "max", "fmin", "fmax"):
            return [self.expression(argument) for argument in arguments]
        types = [self._type(argument) for argument in arguments]
        common = types[0]
        for other in types[1:]:
            common = common if other == common else promoted(common, other)
        wanted = [
            argument if own == common else Cast(common, argument)
            for argument, own in zip(arguments, types, strict=True)
        ]
        return [self.expression(argument) for argument in wanted]

    def _type(self, expression: Expression) -> str:
        return type_of(expression, {**self.scop.symbols.types, **self.types})

    def _is_float(self, arguments: tuple[Expression, ...]) -> bool:
        return not self.index and any(is_float(self._type(argument)) for argument in arguments)

    def element(self, place: Element) -> str:
        """An element of the array itself, its subscripts flattened for a parameter."""
        wraps = any(map(self._may_wrap, place.subscripts))
        inside, array = replace(self, index=not wraps), self.renamed.get(place.array, place.array)
        if place.array in self.scop.function.fields:
            first, *rest = map(inside.expression, place.subscripts)
            return _field_text(self.scop.function.fields[place.array], first, rest)
        lengths = self.scop.inner_lengths.get(place.array)
        if place.array in self.flat:
            lengths = self.scop.locals[place.array].lengths[1:]
        if len(place.subscripts) == 1 or lengths is None or place.array in self.scop.function.tables:
            return array + "".join(f"[{inside.expression(subscript)}]" for subscript in place.subscripts)
        text = f"(long long){inside.expression(place.subscripts[0], _UNARY)}"
        for length, subscript in zip(lengths, place.subscripts[1:], strict=True):
            text = f"({text})" if " + " in text else text
            text = f"{text} * {length} + {inside.expression(subscript, 10)}"
        return f"{array}[{text}]"

    def _may_wrap(self, subscript: Expression) -> bool:
        """Whether a share is taken of what unsigned arithmetic may have cut, as in a hash: signs matter there."""
        affine = None if self.leaf is None else self.leaf.affine
        shares = [part for part in walk(subscript) if isinstance(part, Binary) and part.operator in ("/", "%", ">>")]
        counted = [one for one in shares if any(mentions(one, Variable(name)) for name in self.resigned)]
        return affine is not None and any(affine.polynomial(one) is None for one in counted)

    def _variable(self, name: str, precedence: int) -> str:
        text = self.replaced.get(name, name)
        if name in self.resigned and not self.index:
            return f"({self.scop.symbols.types[name]}){bracketed(text)}"
        return text if precedence == 0 else bracketed(text)

    def _condition(self, condition: Expression, precedence: int = 0) -> str:
        affine = (
            self.leaf is not None and self.leaf.affine is not None and self.leaf.affine.condition(condition) is not None
        )
        return (replace(self, index=True) if affine else self).expression(condition, precedence)

    def statements(self, statements: list[Statement]) -> list[str]:
        if self.block is not None:
            return self.block(statements, self)
        return [line for statement in statements for line in self.statement(statement)]

    def statement(self, statement: Statement) -> list[str]:
        match statement:
            case Declare():
                return self._declaration(statement)
            case Allocate():
                return []  # the launcher did it
            case Assign(target=target, value=value):
                return [self._assignment(target, self.expression(value))]
            case Update():
                return [(self.update(statement, self) if self.update else None) or self._update(statement)]
            case If(condition=condition, then=then, otherwise=otherwise):
                lines = [f"if ({self._condition(condition)}) {{", *self.statements(then)]
                if otherwise:
                    lines += ["} else {", *self.statements(otherwise)]
                return [*lines, "}"]
            case For():
                return self._loop(statement)
            case While(condition=condition, body=body):
                counted = counted_bits(statement, {**self.scop.symbols.types, **self.types}) if self.bits else None
                if counted is not None:
                    return self.statements(counted)
                return [f"while ({self.expression(condition)}) {{", *self.statements(body), "}"]
            case Return(value=value):
                return ["return;" if value is None else f"return {self.expression(value)};"]
            case Continue():
                return ["continue;"]
            case Break():
                return ["break;"]
        raise AssertionError(statement)

    def _assignment(self, target: Variable | Element, value: str) -> str:
        own_way = self.access(target, self) if self.access and isinstance(target, Element) else None
        if own_way is None and isinstance(target, Element) and target.array in self.streamed:
            return f"__stcs(&{self.element(target)}, {value});"
        return f"{own_way or self.expression(target)} = {value};"

    def _loop(self, loop: For) -> list[str]:
        name = loop.variable
        advance = {1: f"++{name}", -1: f"--{name}"}.get(loop.step or 0) or self.statement(loop.advance)[0].removesuffix(
            ";"
        )
        return self.loop(loop, self.expression(loop.start), advance)

    def loop(self, loop: For, first: str, advance: str) -> list[str]:
        """A loop with another first value and another way to go on."""
        innermost = not any(isinstance(one, For | While) for one in every(loop.body))
        pragma = [f"#pragma unroll {self.unroll}"] if self.unroll and innermost else []
        pragma = ["#pragma unroll"] if loop.unrolled else pragma
        head = f"for ({loop.type} {loop.variable} = {first}; {self.expression(loop.condition)}; {advance}) {{"
        return [*pragma, head, *self.statements(loop.body), "}"]

    def _declaration(self, local: Declare) -> list[str]:
        if local.name in self.scop.shared_locals:
            return (
                [f"{self._variable(local.name, 0)} = {self.expression(local.value)};"]
                if local.value is not None
                else []
            )
        lengths = "".join(f"[{length}]" for length in local.lengths)
        if local.value is None:
            return [f"{local.type} {local.name}{lengths};"]
        const = "" if local.name in self.scop.assigned else "const "
        is_index = (
            self.leaf is not None
            and self.leaf.affine is not None
            and self.leaf.affine.polynomial(Variable(local.name)) is not None
            and self.leaf.affine.is_exact(local.value)
        )
        inner = replace(self, index=True) if is_index else self
        return [f"{const}{local.type} {local.name} = {inner.expression(local.value)};"]

    def _update(self, statement: Update) -> str:
        if statement.operator in BIT_OPERATORS:
            return self._assignment(statement.target, self.expression(written_out(statement)))
        target = self.expression(statement.target)
        name = self.target_name(statement)
        type_name = self.types.get(name) or self.scop.element_type(name)
        taken = (
            statement.value.operand if isinstance(statement.value, Unary) and statement.value.operator == "-" else None
        )
        if statement.operator == "+" and taken is not None and self._negates_as(taken, type_name):
            return f"{target} -= {self.expression(taken)};"
        return self.updated(statement, target, type_name)

    def _negates_as(self, operand: Expression, type_name: str) -> bool:
        """Whether taking an operand away from this type is adding what its own type negates it to: what is unsigned and narrower wraps."""
        own = promoted(self._type(operand), "int")
        return (
            is_float(own)
            or not is_unsigned(own)
            or (is_integer(type_name) and size_bytes(type_name) <= size_bytes(own))
        )

    def updated(self, statement: Update, target: str, type_name: str) -> str:
        """An update of what `target` stands for, with the source's choice between a NaN and a number."""
        value, test = statement.value, statement.test
        if not test:
            return arithmetic.update(target, statement.operator, self.expression(value), type_name)
        if self._type(value) == type_name and len(test.removeprefix("!")) == 1 and _calls(value):
            pair = [self.expression(value), target] if test.startswith("!") else [target, self.expression(value)]
            return f"{target} = std_{statement.operator}({', '.join(pair)});"
        return arithmetic.chosen(target, test, self.expression(value, 1), tested=self.expression(value, 8))

    @staticmethod
    def target_name(statement: Update) -> str:
        return place_name(statement.target)
