"""Pieces of code between barriers: isl orders the statements, bounds their loops and guards them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.transform.codegen.geometry import Geometry
from regrapht.transform.codegen.isl_text import NodePrinter
from regrapht.transform.codegen.printer import Printer
from regrapht.transform.ir.scalar_types import signed_index_type
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Leaf, Loop, Node, leaves

Positions = dict[str, list[int | Loop]]
"""Where each leaf stands in a tree: its place among siblings, the loop, its place inside, and so on."""


def positions(nodes: Sequence[Node], prefix: tuple[int | Loop, ...] = ()) -> Positions:
    found: Positions = {}
    for place, node in enumerate(nodes):
        if isinstance(node, Leaf):
            found[node.name] = [*prefix, place]
        else:
            found.update(positions(node.children, (*prefix, place, node)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragments:
    """Writes fragments of one nest. `where` orders all of its leaves; `fresh` makes names that nothing else has."""

    geometry: Geometry
    where: Positions
    fresh: Any
    unroll: int = 0
    kept: Collection[str] = ()
    """Arrays that registers hold where loops around their elements are unrolled."""

    def code(
        self,
        nodes: Sequence[Node],
        fixed: Sequence[str],
        context: Any,
        printer: Printer,
        within: Callable[[Leaf], Any] | None = None,
    ) -> list[str]:
        """The lines of the leaves under `nodes`, in the source's order.

        Args:
            nodes: What to write.
            fixed: Loops that the code around sets: parameters here.
            context: What is known of the parameters, a set without dimensions.
            printer: Prints the statements.
            within: Only these iterations of a leaf; None: all.
        """
        group = leaves(nodes)
        depth = max(len(self.where[leaf.name]) for leaf in group)
        iterators: dict[int, str] = {}
        types: dict[str, str] = {}
        schedule = None
        for leaf in group:
            domain = leaf.domain.intersect(self.geometry.box(leaf, {}, fixed))
            domain = domain if within is None else domain.intersect(within(leaf))
            times = ", ".join(self._times(leaf, fixed, depth, iterators, types))
            one = isl().Map(f"{{ {leaf.name}[{', '.join(leaf.dims)}] -> [{times}] }}").intersect_domain(domain)
            whole = isl().UnionMap.from_map(one)
            schedule = whole if schedule is None else schedule.union(whole)
        if schedule is None or schedule.is_empty():
            return []
        names = isl().IdList.alloc(isl().DEFAULT_CONTEXT, depth)
        for level in range(depth):
            names = names.add(isl().Id(iterators.get(level) or self.fresh(f"c{level}")))
        tree = isl().AstBuild.from_context(context).set_iterators(names).node_from_schedule_map(schedule)
        return self._printed(tree, {leaf.name: leaf for leaf in group}, types, printer)

    def _times(
        self, leaf: Leaf, fixed: Sequence[str], depth: int, iterators: dict[int, str], types: dict[str, str]
    ) -> list[str]:
        times: list[str] = []
        for level, place in enumerate(self.where[leaf.name]):
            if isinstance(place, int):
                times.append(str(place))
            elif place.variable in fixed:
                times.append("0")
            else:
                variable = place.variable
                times.append(variable if place.step > 0 else f"-{variable}")
                name = variable if place.step > 0 else self.fresh(f"{variable}_reversed")
                iterators[level] = name if iterators.get(level, name) == name else self.fresh(f"c{level}")
                wide = signed_index_type(place.type)
                types[iterators[level]] = "long long" if "long long" in (wide, types.get(iterators[level])) else wide
        return times + ["0"] * (depth - len(times))

    def _printed(self, tree: Any, by_name: Mapping[str, Leaf], types: Mapping[str, str], printer: Printer) -> list[str]:
        def statement(name: str, texts: list[str]) -> list[str]:
            leaf = by_name[name]
            own = printer.instead.get(name, leaf.statements)
            return printer.at(leaf, dict(zip(leaf.dims, texts, strict=True))).statements(own)

        nodes = NodePrinter(
            names=self.geometry.names,
            types=types,
            wide=self.geometry.wide,
            statement=statement,
            unroll=self.unroll,
            kept=self.kept,
        )
        return nodes.node(tree)
