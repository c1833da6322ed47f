"""isl's syntax trees as C. Layout does not matter here: clang-format comes last."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

from regrapht.transform.polyhedral.isl_library import isl

_OPERATORS = {
    "add": ("+", 9),
    "sub": ("-", 9),
    "mul": ("*", 10),
    "pdiv_q": ("/", 10),
    "pdiv_r": ("%", 10),
    "zdiv_r": ("%", 10),
    "div": ("/", 10),
    "and_": ("&&", 2),
    "and_then": ("&&", 2),
    "or_": ("||", 1),
    "or_else": ("||", 1),
    "eq": ("==", 6),
    "le": ("<=", 7),
    "lt": ("<", 7),
    "ge": (">=", 7),
    "gt": (">", 7),
}
FLOOR_DIVISION = "floor_divide"
"""The helper that rounds towards minus infinity."""


@cache
def _operation_names() -> dict[Any, str]:
    kinds = isl().ast_expr_op_type
    return {getattr(kinds, name): name for name in dir(kinds) if not name.startswith("__")}


def expression_text(
    expression: Any, names: Mapping[str, str], precedence: int = 0, *, wide: Collection[str] = ()
) -> str:
    """An isl expression as C; `names` are texts that stand for parameters, `wide` are parameters and iterators of 64 bits among others of
    32."""
    kind = expression.get_type()
    if kind == isl().ast_expr_type.int:
        return str(expression.get_val().to_python())
    if kind == isl().ast_expr_type.id:
        name = expression.get_id().get_name()
        return names.get(name, name)
    operation = _operation_names()[expression.get_op_type()]
    parts = _operands(expression)

    def inner(part: Any, level: int = 0) -> str:
        return expression_text(part, names, level, wide=wide)

    if operation in ("ge", "le"):
        strict = _strict_comparison(operation, parts, names, wide)
        if strict is not None:
            return f"({strict})" if precedence > 7 else strict
    if operation in _OPERATORS:
        symbol, own = _OPERATORS[operation]
        inside = 3 if symbol == "||" else own  # && inside || in brackets, as compilers want it
        left, right = (inner(part, level) for part, level in zip(parts, (inside, max(inside, own + 1)), strict=True))
        text = f"{left} {symbol} {right}"
        return f"({text})" if own < precedence else text
    if operation == "minus":
        return f"-{inner(parts[0], 12)}"
    if operation in ("min", "max"):
        texts = [inner(part) for part in parts]
        is_wide = [_is_wide(part, wide) for part in parts]
        if any(is_wide):  # CUDA has no `min(int, long long)`: which one is meant is ambiguous
            texts = [text if one else f"(long long)({text})" for text, one in zip(texts, is_wide, strict=True)]
        return reduce(lambda first, second: f"{operation}({first}, {second})", texts)
    if operation == "fdiv_q":
        return f"{FLOOR_DIVISION}({inner(parts[0])}, {inner(parts[1])})"
    if operation in ("cond", "select"):
        text = " ".join(f"{inner(part, 1)} {sign}" for part, sign in zip(parts, "?: ", strict=True)).strip()
        return f"({text})" if precedence else text
    raise AssertionError(f"isl operation {operation}")


def condition_text(
    condition: str, parameters: str, names: Mapping[str, str], precedence: int = 0, *, wide: Collection[str] = ()
) -> str:
    """A condition in isl's text over `parameters` as C."""
    allowed = isl().Set(f"[{parameters}] -> {{ : {condition} }}")
    expression = isl().AstBuild.from_context(isl().Set("{ : }")).expr_from_set(allowed)
    return expression_text(expression, names, precedence, wide=wide)


def _operands(expression: Any) -> list[Any]:
    return [expression.get_op_arg(k) for k in range(expression.get_op_n_arg())]


def _is_wide(expression: Any, wide: Collection[str]) -> bool:
    """Whether the C text of an isl expression is of 64 bits: an operand of its value is."""
    kind, kinds = expression.get_type(), isl().ast_expr_type
    if kind == kinds.id:
        return expression.get_id().get_name() in wide
    if kind != kinds.op:
        return False
    chooses = _operation_names()[expression.get_op_type()] in ("cond", "select")
    return any(_is_wide(part, wide) for part in _operands(expression)[1 if chooses else 0 :])


def _strict_comparison(operation: str, parts: list[Any], names: Mapping[str, str], wide: Collection[str]) -> str | None:
    """`n >= i + 1` as `i < n`."""
    less, more = (parts[1], parts[0]) if operation == "ge" else parts
    inner = _without_one(less)
    if inner is None:
        return None
    return f"{expression_text(inner, names, 7, wide=wide)} < {expression_text(more, names, 7, wide=wide)}"


def _without_one(expression: Any) -> Any:
    """x where the expression is x + 1; None otherwise."""
    if expression.get_type() != isl().ast_expr_type.op or _operation_names()[expression.get_op_type()] != "add":
        return None
    second = expression.get_op_arg(1)
    is_one = second.get_type() == isl().ast_expr_type.int and second.get_val().to_python() == 1
    return expression.get_op_arg(0) if is_one else None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePrinter:
    """Prints isl's loops and conditions; `statement` prints one leaf, given its name and the texts of its loop variables."""

    names: Mapping[str, str]
    types: Mapping[str, str]
    """C types of iterators; `int` where absent."""
    wide: Collection[str]
    """Parameters of 64 bits."""
    statement: Callable[[str, list[str]], list[str]]
    unroll: int = 0
    kept: Collection[str] = ()
    """Arrays that registers hold where loops around their elements are unrolled."""

    def node(self, node: Any) -> list[str]:
        """The lines of C of one node."""
        kind, kinds = node.get_type(), isl().ast_node_type
        if kind == kinds.block:
            inner = node.block_get_children()
            return [line for k in range(inner.n_ast_node()) for line in self.node(inner.get_at(k))]
        if kind == kinds.user:
            call = node.user_get_expr()
            texts = [self._text(call.get_op_arg(k)) for k in range(1, call.get_op_n_arg())]
            return self.statement(call.get_op_arg(0).get_id().get_name(), texts)
        if kind == kinds.if_:
            lines = [f"if ({self._text(node.if_get_cond())}) {{", *self.node(node.if_get_then_node())]
            if node.if_has_else_node():
                lines += ["} else {", *self.node(node.if_get_else_node())]
            return [*lines, "}"]
        if kind == kinds.for_:
            return self._loop(node)
        raise AssertionError(f"isl node {kind}")

    def _text(self, expression: Any) -> str:
        own = {name for name, type_name in self.types.items() if type_name == "long long"}
        return expression_text(expression, self.names, wide=own | (set(self.wide) - set(self.types)))

    def _loop(self, node: Any) -> list[str]:
        name = node.for_get_iterator().get_id().get_name()
        type_name = self.types.get(name, "int")
        first, body = self._text(node.for_get_init()), self.node(node.for_get_body())
        if node.for_is_degenerate():
            return ["{", f"const {type_name} {name} = {first};", *body, "}"]
        condition = self._text(node.for_get_cond())
        step = node.for_get_inc().get_val().to_python()
        advance = f"++{name}" if step == 1 else f"{name} += {step}"
        innermost = self.unroll and not any(line.startswith("for (") for line in body)
        pragma = [f"#pragma unroll {self.unroll}"] if innermost else []
        if self._has_constant_turns(name, first, condition) and self._uses_kept(body):
            pragma = ["#pragma unroll"]
        return [*pragma, f"for ({type_name} {name} = {first}; {condition}; {advance}) {{", *body, "}"]

    def _has_constant_turns(self, name: str, first: str, condition: str) -> bool:
        """Whether nothing but loops of this piece of code bounds a loop."""
        return set(re.findall(r"[A-Za-z_]\w*", f"{first} {condition}")) <= {name, *self.types}

    def _uses_kept(self, body: list[str]) -> bool:
        return any(re.search(rf"\b{array}\[", line) for array in self.kept for line in body)
