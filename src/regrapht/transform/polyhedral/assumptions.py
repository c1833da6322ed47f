"""What a task requires of its sizes, as isl's text."""

import ast
from collections.abc import Collection, Sequence

_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "="}
_SIGNS = {ast.Add: "+", ast.Sub: "-"}


def as_isl(require: Sequence[str], sizes: Collection[str]) -> list[str]:
    """The affine ones among conditions such as `K <= N`; those that are not affine only make isl prove less."""
    found = []
    for text in require:
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            continue
        if isinstance(node, ast.Compare) and all(type(op) in _COMPARISONS for op in node.ops):
            sides = [_affine(side, sizes) for side in (node.left, *node.comparators)]
            if None not in sides:
                signs = [_COMPARISONS[type(op)] for op in node.ops]
                pairs = zip(sides, signs, sides[1:], strict=False)
                found += [f"{left} {sign} {right}" for left, sign, right in pairs]
    return found


def divisible(require: Sequence[str], sizes: Collection[str]) -> frozenset[tuple[str, str]]:
    """The sizes of conditions such as `d % h == 0`, each with what divides it: another size, or a number."""
    found = set()
    for text in require:
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            continue
        match node:
            case ast.Compare(
                left=ast.BinOp(left=ast.Name(id=name), op=ast.Mod(), right=ast.Name() | ast.Constant() as by),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=0)],
            ) if name in sizes:
                found.add((name, ast.unparse(by)))
    return frozenset(found)


def affine_text(text: str, sizes: Collection[str]) -> str | None:
    """An expression such as `N + 1` as isl's text; None where it is not affine in the sizes."""
    try:
        return _affine(ast.parse(text.strip(), mode="eval").body, sizes)
    except SyntaxError:
        return None


def _affine(node: ast.expr, sizes: Collection[str]) -> str | None:
    match node:
        case ast.Constant(value=int(value)):
            return str(value)
        case ast.Name(id=name) if name in sizes:
            return name
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            a, b = _affine(left, sizes), _affine(right, sizes)
            return None if a is None or b is None else f"({a} {_SIGNS[type(op)]} {b})"
        case ast.BinOp(left=ast.Constant(value=int(value)), op=ast.Mult(), right=other):
            inner = _affine(other, sizes)
            return None if inner is None else f"{value}*{inner}"
    return None
