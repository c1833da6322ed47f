"""What every delivered file agrees on: names, parameters, lengths."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.records.element import StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Residency, Role, Task

CALLS = {"max": "regrapht_max", "min": "regrapht_min"}
_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}
LENGTH_FUNCTIONS = """\
#ifndef REGRAPHT_CALLS
#define REGRAPHT_CALLS
template <class Number> constexpr long long regrapht_length(Number n) { return static_cast<long long>(n); }
[[maybe_unused]] static inline long long regrapht_max(long long a, long long b) { return a > b ? a : b; }
[[maybe_unused]] static inline long long regrapht_min(long long a, long long b) { return a < b ? a : b; }
[[maybe_unused]] static inline long long regrapht_divided(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
[[maybe_unused]] static inline long long regrapht_divided_up(long long a, long long b) { return -regrapht_divided(-a, b); }
template <class One, class Two> bool regrapht_apart(const One* a, long long n, const Two* b, long long m) {
    const auto* one = static_cast<const char*>(static_cast<const void*>(a));
    const auto* two = static_cast<const char*>(static_cast<const void*>(b));
    return one + n * regrapht_length(sizeof(One)) <= two || two + m * regrapht_length(sizeof(Two)) <= one;
}
#endif
"""
"""What the lengths of arrays are written with, and whether two share memory; several headers in one file may each have it."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One task's delivered names."""

    task: Task
    residency: str
    """`host`, `device` or `managed`."""

    @property
    def name(self) -> str:
        return self.task.entry

    @property
    def macro(self) -> str:
        return "REGRAPHT_" + re.sub(r"\W", "_", self.name).upper()

    @property
    def arrays(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.task.parameters if arg.kind is ArgKind.ARRAY)

    @property
    def names(self) -> str:
        """The parameters' names, to call with."""
        return ", ".join(arg.name for arg in self.task.parameters)

    @property
    def device_only(self) -> bool:
        """Whether the program itself takes device memory, so that host memory has to be copied."""
        return self.task.contract.residency is Residency.DEVICE

    def declared(self) -> str:
        """The parameters as C declares them; arrays of structs by `void*`, as their type is the user's."""
        return ", ".join(f"{c_type(arg)} {arg.name}" for arg in self.task.parameters)

    def typed(self) -> str:
        """The parameters as the program declares them, structs by their plain names."""
        return self.task.signature_of_plain_names.partition("(")[2].rpartition(")")[0]

    def passed(self) -> str:
        """The parameters of `declared`, as `typed` takes them."""
        parts = []
        for arg in self.task.parameters:
            const = "const " if arg.role is Role.IN else ""
            cast = isinstance(arg.dtype, StructType)
            parts.append(f"static_cast<{const}{arg.dtype.plain_name}*>({arg.name})" if cast else arg.name)
        return ", ".join(parts)


def c_type(arg: Arg) -> str:
    """A parameter's type in C."""
    element = "void" if isinstance(arg.dtype, StructType) else arg.dtype.c_name
    if arg.kind is not ArgKind.ARRAY:
        return element
    return f"{'const ' if arg.role is Role.IN else ''}{element}*"


def count_of(arg: Arg, names: Mapping[str, str] | None = None) -> str:
    """A C++ expression for an array's number of elements; `names` as in `length_text`."""
    return " * ".join(f"({length_text(extent, names)})" for extent in arg.shape)


def length_text(extent: Expression, names: Mapping[str, str] | None = None) -> str:
    """An extent in C++, in 64-bit integers; sizes by their names, or by what `names` has for them where it is called.

    Raises:
        ValueError: It has a logarithm or a fraction in it, which no length should have.
    """
    return _text(ast.parse(extent.text.strip(), mode="eval").body, names or {})


def _text(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return f"{node.value!s}ll"
    if isinstance(node, ast.Name):
        return f"regrapht_length({names.get(node.id, node.id)})"
    if isinstance(node, ast.UnaryOp):
        return f"-({_text(node.operand, names)})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        return f"regrapht_divided({_text(node.left, names)}, {_text(node.right, names)})"
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return f"({_text(node.left, names)} {_BINARY[type(node.op)]} {_text(node.right, names)})"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        first = node.args[0]
        if node.func.id in CALLS:
            text = _text(first, names)
            for other in node.args[1:]:
                text = f"{CALLS[node.func.id]}({text}, {_text(other, names)})"
            return text
        if node.func.id == "ceil" and isinstance(first, ast.BinOp) and isinstance(first.op, ast.Div):
            return f"regrapht_divided_up({_text(first.left, names)}, {_text(first.right, names)})"
    raise ValueError(f"{ast.unparse(node)} is not a length in C++")
