"""Comparisons over a task's sizes, as `require` lists them: `"K <= N"`, `"3 <= n <= m"`, `"n % 4 == 0"`."""

import ast
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from regrapht.records.expression import Expression

_COMPARISONS: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One comparison, or a chain of them, between expressions.

    Raises:
        ValueError: The text is none; the message quotes the offending part.
    """

    text: str
    _operands: tuple[Expression, ...] = field(init=False, repr=False, compare=False, hash=False)
    _operators: tuple[type, ...] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        source = self.text.strip()
        try:
            tree = ast.parse(source, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ValueError(f"{self.text!r} does not parse as a comparison") from error
        if not isinstance(tree, ast.Compare) or any(type(op) not in _COMPARISONS for op in tree.ops):
            raise ValueError(f"{self.text!r} is not a comparison; use < <= > >= == != between expressions over sizes")
        operands = [ast.get_source_segment(source, operand) or "" for operand in (tree.left, *tree.comparators)]
        object.__setattr__(self, "_operands", tuple(Expression(operand) for operand in operands))
        object.__setattr__(self, "_operators", tuple(type(op) for op in tree.ops))

    @property
    def names(self) -> frozenset[str]:
        """The sizes that it reads."""
        return frozenset().union(*(operand.names for operand in self._operands))

    def holds(self, sizes: Mapping[str, int]) -> bool:
        """Whether the comparison is true under `sizes`.

        Raises:
            ValueError: A size is missing or the arithmetic has no value.
        """
        values = [operand.evaluate(sizes) for operand in self._operands]
        pairs = itertools.pairwise(values)
        return all(_COMPARISONS[op](*pair) for op, pair in zip(self._operators, pairs, strict=True))


def satisfies(require: Iterable[str], sizes: Mapping[str, int]) -> bool:
    """Whether `sizes` fulfil every comparison in `require`.

    Raises:
        ValueError: A text is no comparison, a size is missing, or the arithmetic has no value.
    """
    return all(Requirement(text).holds(sizes) for text in require)
