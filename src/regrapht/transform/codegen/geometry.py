"""Bounds, guards and boxes of one nest, from isl, as C text."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from regrapht.transform.codegen.isl_text import expression_text
from regrapht.transform.plan.nest import Nest
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf
from regrapht.transform.polyhedral.scop import Scop

AT = "__at"
"""Ends the dimension that a parameter fixes: `{ S[i__at] : i__at = i }`. A mapped loop is a parameter, so that isl's guards name it."""
Ranges = Mapping[str, tuple[str, int]]
"""Loop variable: name of its first value, number of values."""


def operand(text: str) -> str:
    """The text as an operand of any operator."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def below(text: str) -> str:
    """The upper bound `x <= text` as the end of `x < end`."""
    if "?" in text:
        return f"({text}) + 1"
    less = re.search(r" - (\d+)$", text)
    if less is None:
        return f"{text} + 1"
    rest = int(less[1]) - 1
    return text[: less.start()] + (f" - {rest}" if rest else "")


class Geometry:
    """isl's view of one nest.

    Args:
        scop: The function's polyhedral form.
        nest: The nest, prepared.
        names: C texts of isl parameters (products of sizes).
        wide: isl parameters of 64 bits.
        counts: C texts of the element counts of arrays, by the task's shapes.
    """

    def __init__(
        self, scop: Scop, nest: Nest, names: Mapping[str, str], counts: Mapping[str, str], wide: Collection[str]
    ) -> None:
        self.scop, self.nest, self.names, self.counts, self.wide = scop, nest, names, counts, wide
        self.universe = isl().Set("{ : }")
        self.nonempty = self._nonempty()
        """The parameters for which the nest has any iteration."""

    def _nonempty(self) -> Any:
        found: Any = None
        for leaf in self.nest.group:
            inside = leaf.domain.params()
            found = inside if found is None else found.union(inside)
        return found.coalesce()

    def parameters(self, extra: Sequence[str] = ()) -> str:
        """The list of isl parameters inside this nest."""
        symbols = self.scop.symbols
        return ", ".join(sorted({*symbols.parameters, *symbols.products, *self.nest.host_loops, *extra}))

    def text(self, value: Any, context: Any) -> str:
        """A piecewise affine expression as C, simplified by what `context` says of the parameters."""
        return expression_text(isl().AstBuild.from_context(context).expr_from_pw_aff(value), self.names, wide=self.wide)

    def guard(self, condition: Any, context: Any) -> str | None:
        """A set of parameters as a C condition; None when `context` implies it."""
        left = condition.coalesce().gist_params(context)
        if left.plain_is_universe():
            return None
        expression = isl().AstBuild.from_context(context).expr_from_set(left.params())
        return expression_text(expression, self.names, 1, wide=self.wide)

    def values(
        self, variable: str, group: Sequence[Leaf] | None = None, within: Callable[[Leaf], Any] | None = None
    ) -> Any:
        """The values of one loop variable over a group of leaves, as a set of one dimension."""
        found: Any = None
        for leaf in self.nest.group if group is None else group:
            if variable not in leaf.dims:
                continue
            domain = leaf.domain.intersect(within(leaf)) if within else leaf.domain
            position, count = leaf.dims.index(variable), domain.dim(isl().dim_type.set)
            domain = domain.project_out(isl().dim_type.set, position + 1, count - position - 1)
            domain = domain.project_out(isl().dim_type.set, 0, position).reset_tuple_id()
            found = domain if found is None else found.union(domain)
        return found.coalesce()

    def box(self, leaf: Leaf, ranges: Ranges, fixed: Sequence[str] = ()) -> Any:
        """Iterations of a leaf within `ranges`, with the loops in `fixed` equal to parameters of their name."""
        inside = [f"{first} <= {v}{AT} < {first} + {size}" for v, (first, size) in ranges.items() if v in leaf.dims]
        inside += [f"{v}{AT} = {v}" for v in fixed if v in leaf.dims]
        names = self.parameters([first for first, _ in ranges.values()] + list(fixed))
        dims = ", ".join(dim + AT for dim in leaf.dims)
        return isl().Set(f"[{names}] -> {{ {leaf.name}[{dims}] : {' and '.join(inside) or 'true'} }}")

    @staticmethod
    def at_least(name: str, value: Any) -> Any:
        """{ : name >= value }"""
        return isl().PwAff(f"[{name}] -> {{ [({name})] }}").ge_set(value).params()

    @staticmethod
    def at_most(name: str, value: Any) -> Any:
        """{ : name <= value }"""
        return isl().PwAff(f"[{name}] -> {{ [({name})] }}").le_set(value).params()

    def range_guard(self, values: Any, known: Any) -> str | None:
        """The condition under which a loop has a range at all; None when `low <= high` says the same."""
        low, high = values.dim_min(0), values.dim_max(0)
        pieces: list[list[Any]] = []
        for bound in (low, high):
            found: list[Any] = []
            bound.foreach_piece(lambda _, affine, found=found: found.append(affine))
            pieces.append(found)
        if all(len(found) == 1 for found in pieces):
            implied = pieces[0][0].le_set(pieces[1][0]).params().intersect(known)
            if implied.is_subset(values.params()):
                return None
        return self.guard(values.params(), known)


def constant_count(values: Any) -> int | None:
    """How many values lie between the least and the greatest, both included, where that is the same for all parameters; None elsewhere."""
    length = constant_value(values.dim_max(0).sub(values.dim_min(0)))
    return None if length is None else length + 1


def constant_value(value: Any) -> int | None:
    """A piecewise affine expression that is one whole number; None for others. isl's extremes do not take all expressions."""
    found: list[Any] = []
    value.foreach_piece(lambda _, affine: found.append(affine))
    if not found or not all(affine.is_cst() for affine in found):
        return None
    values = {affine.get_constant_val().to_python() for affine in found}
    return int(values.pop()) if len(values) == 1 else None
