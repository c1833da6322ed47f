"""The polyhedral form of a function: loop tree, symbols, and isl's sets and maps of one nest at a time."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, constant, words
from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.names import place_names
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import RESULT, Assign, Function, Update, every
from regrapht.transform.polyhedral.accesses import AccessCollector
from regrapht.transform.polyhedral.affine import Affine, Divisible, Symbols
from regrapht.transform.polyhedral.delinearise import recover_shape, set_map, set_moved_map
from regrapht.transform.polyhedral.flow import KnownValues
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Access, Key, Leaf, Node, all_loops, leaves, loop_key
from regrapht.transform.polyhedral.quotients import facts_of
from regrapht.transform.polyhedral.segments import lie_in_segments, set_segment_map
from regrapht.transform.polyhedral.tree_builder import TreeBuilder


class Scop:
    """A function as loops and leaves, with what isl needs to reason about them.

    Args:
        function: The function as read.
        sizes: Parameters that the task calls sizes; they are 0 or more.
        assumptions: Conditions over sizes that the task requires, as isl's text.
        factors: Sizes of which an array's element count is a multiple.
        products: Products of parameters that the assumptions name, with their C text.
        rising: Arrays of offsets that never change, of which those that bound the function's segments are known to rise.
        by_values: Loops inside of which places that data choose are known as far as what is known of the values says it.
        divisible: Sizes with what the task requires to divide them.

    Raises:
        CannotTransform: The function's outermost loops are not affine, or it changes a parameter.
    """

    def __init__(
        self,
        function: Function,
        sizes: Sequence[str],
        assumptions: Sequence[str],
        factors: Mapping[str, Sequence[str]] | None = None,
        products: Mapping[str, str] | None = None,
        rising: Collection[str] = (),
        by_values: Collection[Key] = (),
        divisible: Divisible = (),
    ) -> None:
        self.rising = frozenset(rising)
        self.function, self.assumptions, self.factors = function, list(assumptions), dict(factors or {})
        scalars = {p.name for p in function.parameters if not p.is_pointer}
        integers = {
            p.name for p in function.parameters if not p.is_pointer and is_integer(p.type) and size_bytes(p.type) >= 4
        }
        types = {p.name: p.type for p in function.parameters}
        types |= {c.name: c.type for c in function.constants if c.type} | {
            h.name: h.returns or "void" for h in function.helpers
        }
        if function.returns:
            types[RESULT] = function.returns
        nonnegative = set(sizes) & integers
        self.symbols = Symbols(integers, nonnegative, types, products=dict(products or {}), divisible=divisible)
        builder = TreeBuilder(self.symbols, scalars)
        _check_parameters_stay(function)
        self.tree: list[Node] = builder.build(function.body)
        self.locals, self.host, self.buffers = builder.locals, builder.host, builder.buffers
        self.assumptions += [f"{name} >= 0" for name in sorted(self.symbols.nonnegative)] + self._values_of_host()
        self.assigned = builder.assigned | {name for h in function.helpers for name in assigned_variables(h.body)}
        types |= {name: one.type for name, one in function.fields.items()}
        self._note_factors()
        self.inner_lengths = {p.name: p.lengths for p in function.parameters if p.is_pointer}
        self.inner_lengths |= {name: one.lengths for name, one in function.fields.items()}
        self.inner_lengths |= dict.fromkeys(self.buffers, ())
        self.inner_lengths |= {name: table.lengths[1:] for name, table in function.tables.items()}
        if function.returns:
            self.inner_lengths[RESULT] = ()
        self.placed_by_values = False
        """Whether values say where an access is that is unknown otherwise."""
        values = KnownValues(function, self.symbols.nonnegative) if by_values else None
        for leaf in leaves(self.tree):
            known = values if any(loop_key(loop) in by_values for loop in leaf.loops) else None
            collector = AccessCollector(leaf, self.symbols, self.inner_lengths, self.locals, function.parts, known)
            collector.collect()
            self.placed_by_values |= collector.placed
        self.shared_locals = self._shared_locals()

    @property
    def arrays(self) -> set[str]:
        """Parameters that are arrays, buffers, and the result."""
        return set(self.inner_lengths) - set(self.function.tables)

    @property
    def flat_arrays(self) -> set[str]:
        """Arrays that the source subscripts once, whatever shape they have."""
        return {name for name in self.arrays if not self.inner_lengths[name]}

    def required(self) -> Any:
        """isl's set of the parameters that the assumptions allow."""
        return self.parameter_set(" and ".join(self.assumptions) or "true")

    def parameter_set(self, condition: str) -> Any:
        """isl's set of the parameters for which a condition, in isl's text, holds."""
        names = ", ".join(sorted(self.symbols.parameters | set(self.symbols.products)))
        return self.symbols.isl_set(f"[{names}] -> {{ : {condition} }}")

    def of_turns(self) -> list[str]:
        """isl's parameters that only a turn of a launched loop has: its variable, what the launcher computes there, products with these."""
        launched = [loop for loop in all_loops(self.tree) if loop.launched is not None]
        own = {name for loop in launched for name in (loop.variable, *(one.name for one in loop.scalars))}
        return [*sorted(own), *(name for name, text in self.symbols.products.items() if own & set(words(text)))]

    def possible(self) -> Any:
        """As `required`, with quotients that the launcher computes: `half = w / 2`."""
        affine, found = Affine(self.symbols, ()), self.required()
        for local in self.host:
            integer = is_integer(local.type) and local.name in self.symbols.parameters
            text = affine.affine(local.value) if integer and local.value is not None else None
            if text is not None:
                found = found.intersect(self.parameter_set(f"{local.name} = {text}"))
        return found

    def given_for(self, array: str) -> list[str]:
        """What is known of the parameters where an array has any element, as isl's text."""
        positive = [f"{size} >= 1" for size in self.factors.get(array, ()) if size in self.symbols.parameters]
        return [*self.assumptions, *positive]

    def _note_factors(self) -> None:
        """A buffer with any element has a positive length, and so are all the sizes that it is the product of."""
        for name, buffer in self.buffers.items():
            length = Affine(self.symbols, ()).polynomial(buffer.length)
            if length is not None and len(length) == 1:
                ((atoms, _),) = length.items()
                self.factors[name] = [atom for atom in atoms if atom in self.symbols.nonnegative]

    def _values_of_host(self) -> list[str]:
        """What the launcher's scalars are, where that is affine: `width = n + 1`, or `plane = n__m` for a product."""
        affine = Affine(self.symbols, ())
        found = []
        for local in self.host:
            text = None if local.value is None or not is_integer(local.type) else affine.affine(local.value)
            products = set(self.symbols.products) if local.name in self.symbols.values else set()
            known = text is not None and set(words(text)) <= self.symbols.parameters | products
            if known and local.name in self.symbols.parameters:
                found.append(f"{local.name} = {text}")
        return found + [fact for one in self.symbols.quotients for fact in facts_of(one, affine)]

    def _shared_locals(self) -> set[str]:
        """Locals that several leaves use, or that are declared outside all loops."""
        used: dict[str, set[str]] = {}
        for leaf in leaves(self.tree):
            for name in [*(access.array for access in leaf.accesses), *leaf.own]:
                used.setdefault(name, set()).add(leaf.name)
        return {
            name
            for name, local in self.locals.items()
            if len(used.get(name, ())) > 1
            or (not local.loops and len(used.get(name, ())) == 1 and self._outlives(name))
        }

    def _outlives(self, name: str) -> bool:
        """Whether a local outside all loops is used by a leaf that does not declare it."""
        return any(name not in leaf.own and any(a.array == name for a in leaf.accesses) for leaf in leaves(self.tree))

    def prepare(
        self, nodes: Node | Sequence[Node], host_loops: Sequence[str]
    ) -> "tuple[list[Leaf], dict[str, list[Terms]]]":
        """Set domains and access maps of all leaves below `nodes`, loops in `host_loops` being parameters.

        Returns:
            The leaves, and the extents of the inner dimensions that were recovered for each array.
        """
        group = leaves(nodes)
        parameters = self.symbols.parameters | set(host_loops)
        for leaf in group:
            leaf.dims = leaf.iterators[len(host_loops) :]
            conditions = [text for loop in leaf.loops for text in loop.constraints] + leaf.conditions
            leaf.parameters = ", ".join(sorted(parameters | set(self.symbols.products)))
            inside = " and ".join(conditions) or "true"
            leaf.domain = self.symbols.isl_set(
                f"[{leaf.parameters}] -> {{ {leaf.name}[{', '.join(leaf.dims)}] : {inside} }}"
            )
        by_array: dict[str, list[Access]] = {}
        for leaf in group:
            for access in leaf.accesses:
                by_array.setdefault(access.array, []).append(access)
        return group, {array: self._map(array, by_array[array], parameters, len(host_loops)) for array in by_array}

    def _map(self, array: str, accesses: list[Access], parameters: set[str], outer: int) -> list[Terms]:
        if array in self.locals:
            self._map_local(array, accesses, outer)
            return []
        if lie_in_segments(accesses, self.rising):
            for access in accesses:
                set_segment_map(access)
            return []
        lengths = self.inner_lengths[array]
        if lengths:
            for access in accesses:
                known = [polynomial for polynomial in access.subscripts if polynomial is not None]
                access.index = known if len(known) == len(access.subscripts) else None
                set_map(access, 1 + len(lengths))
                if access.inside is not None:
                    set_moved_map(access, access.inside.subscripts)
            return [constant(length) for length in lengths]
        names = ", ".join(sorted(parameters))
        return recover_shape(array, accesses, names, self.given_for(array), self.symbols.values)

    def _map_local(self, name: str, accesses: list[Access], outer: int) -> None:
        """A local is expanded by the loops around its declaration, which is all the privatisation there is."""
        own = [loop.variable for loop in self.locals[name].loops][outer:]
        rank = len(own) + len(self.locals[name].lengths)
        prefix: list[Terms] = [{(variable,): 1} for variable in own]
        for access in accesses:
            known = [polynomial for polynomial in access.subscripts if polynomial is not None]
            access.index = [*prefix, *known] if len(known) == len(access.subscripts) else None
            set_map(access, rank)
            if access.index is None and own:
                self._pin(access, own, rank)

    @staticmethod
    def _pin(access: Access, own: list[str], rank: int) -> None:
        """An unknown element of a local array is still one of this iteration's own."""
        leaf = access.leaf
        places = place_names(rank)
        fixed = " and ".join(f"{place} = {variable}" for place, variable in zip(places, own, strict=False))
        dims = ", ".join(places)
        text = f"[{leaf.parameters}] -> {{ {leaf.name}[{', '.join(leaf.dims)}] -> {access.array}[{dims}] : {fixed} }}"
        access.map = isl().Map(text).intersect_domain(leaf.domain)

    def in_memory(self, host_depth: int) -> set[str]:
        """What all threads of a nest below `host_depth` launcher loops see: arrays, and locals that outlive its kernel."""
        kept = {name for name in self.shared_locals if len(self.locals[name].loops) <= host_depth}
        return self.arrays | kept

    def element_type(self, name: str) -> str:
        return self.symbols.types[name]


def _check_parameters_stay(function: Function) -> None:
    names = {parameter.name for parameter in function.parameters}
    for statement in every(function.body):
        if (
            isinstance(statement, Assign | Update)
            and isinstance(statement.target, Variable)
            and statement.target.name in names
        ):
            raise CannotTransform(
                f"the parameter '{statement.target.name}' is changed",
                line=statement.line,
                remedy="copy it to a local variable first",
            )
