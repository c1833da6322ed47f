"""Arithmetic over a task's sizes, as written in `task.toml`: `"2*M*N*K"`, `"(n + 31) // 32"`.

Integers, size names, `+ - * / // % ( )`, unary minus and the functions `min max log2 ceil`. Nothing else parses, so an expression from a
file can never run code. Division `/` gives a float, everything else on integers stays exact.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Number = int | float

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "log2": math.log2,
    "ceil": math.ceil,
}
_OF_ONE = {"log2", "ceil"}
_MAX_LENGTH = 500  # longer than any honest shape; keeps the parser's recursion bounded


@dataclass(frozen=True, slots=True)
class Expression:
    """One parsed expression. Equal when the texts are equal.

    Raises:
        ValueError: The text is not an expression of the grammar above; the message quotes the offending part.
    """

    text: str
    _tree: ast.expr = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise ValueError(f"{self.text!r} is not text")
        if len(self.text) > _MAX_LENGTH:
            raise ValueError(f"longer than {_MAX_LENGTH} characters")
        try:
            tree = ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(f"{self.text!r} does not parse as an expression") from error
        _check(tree, self.text)
        object.__setattr__(self, "_tree", tree)

    @property
    def names(self) -> frozenset[str]:
        """The sizes that the expression reads."""
        called = {id(node.func) for node in ast.walk(self._tree) if isinstance(node, ast.Call)}
        return frozenset(n.id for n in ast.walk(self._tree) if isinstance(n, ast.Name) and id(n) not in called)

    @property
    def c_text(self) -> str:
        """The text for C++ where all is whole and not negative, as sizes are: `//` is a comment there."""
        return self.text.replace("//", "/")

    def evaluate(self, sizes: Mapping[str, int]) -> Number:
        """The value under `sizes`.

        Raises:
            ValueError: A size is missing, or the arithmetic has no value (division by zero, logarithm of 0).
        """
        try:
            return _value(self._tree, sizes)
        except KeyError as error:
            raise ValueError(f"{self.text!r} needs the size {error.args[0]}") from error
        except (ArithmeticError, ValueError) as error:
            raise ValueError(f"{self.text!r} has no value at {dict(sizes)}: {error}") from error

    def length(self, sizes: Mapping[str, int]) -> int:
        """The value as a whole number of at least 0, as a shape needs it.

        Raises:
            ValueError: As `evaluate`, or the value is negative or not whole.
        """
        value = self.evaluate(sizes)
        if value != int(value) or value < 0:
            raise ValueError(f"{self.text!r} is {value} at {dict(sizes)}: a shape needs a whole number of at least 0")
        return int(value)

    def __str__(self) -> str:
        return self.text


def _check(node: ast.expr, text: str) -> None:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return
        case ast.Name():
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _check(left, text)
            _check(right, text)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand, text)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS and arguments:
            if name in _OF_ONE and len(arguments) != 1:
                raise ValueError(f"{name} takes one value, not {len(arguments)}")
            for argument in arguments:
                _check(argument, text)
        case _:
            part = ast.get_source_segment(text.strip(), node) or text
            raise ValueError(f"{part!r} is not allowed; use integers, sizes, + - * / // % ( ) and min max log2 ceil")


def _value(node: ast.expr, sizes: Mapping[str, int]) -> Number:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return sizes[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_value(left, sizes), _value(right, sizes))
        case ast.UnaryOp(operand=operand):
            return -_value(operand, sizes)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_value(argument, sizes) for argument in arguments))
    raise AssertionError(f"unchecked node {ast.dump(node)}")
