"""The plan of a function: which nests of loops become kernels, which loops stay in the launcher."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from regrapht.errors import CannotTransform
from regrapht.source.polynomial import Terms, names_in
from regrapht.transform.ir.expressions import Element, Expression, Unary, Variable, place_name, walk
from regrapht.transform.ir.scalar_types import is_float, is_integer, size_bytes
from regrapht.transform.ir.statements import For, If, Update, While, every
from regrapht.transform.plan.private_copies import MOST_IN_MEMORY, MOST_IN_REGISTERS, copies_of, fixed_length
from regrapht.transform.plan.reasons import of_dependence
from regrapht.transform.polyhedral.conflicts import Pairs, conflicts, only_updates
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, Access, Leaf, Loop, Node, all_loops, loop_key
from regrapht.transform.polyhedral.residues import are_apart
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.turns import FEW, is_narrow, most_turns

WORTH_COPIES = FEW * FEW
"""Turns above which many threads with copies of what is updated are faster than a thread for each of a few elements."""
FEW_THREADS = 256
"""A single block: it leaves most of a device idle, however long its threads are at work."""


class Kind(StrEnum):
    MAP = "map"
    """Some loops have independent iterations."""
    REDUCE = "reduce"
    """Iterations meet only in updates of fixed elements, or of small arrays that every thread has a copy of."""
    SCATTER = "scatter"
    """Iterations meet only in updates of elements that data or index choose."""
    COPIES = "copies"
    """Iterations meet only in sums at elements that data choose; every thread has copies of the arrays in device memory."""
    SERIAL = "serial"


@dataclass(slots=True, eq=False, kw_only=True)
class Nest:
    """One nest of loops that becomes one kernel (or a few)."""

    number: int
    kind: Kind
    root: Loop
    host_loops: tuple[str, ...]
    chain: list[Loop]
    """The loops from the root on that hold nothing but the next one."""
    parallel: list[str]
    reduced: list[str]
    """Loops of the chain that are parallel but for updates."""
    targets: dict[str, str]
    """What is updated across iterations, with the operator."""
    copies: dict[str, int] = field(default_factory=dict)
    """The arrays among the targets that every thread has a copy of, with their lengths; other targets are one element each."""
    group: list[Leaf] = field(default_factory=list)
    shapes: dict[str, list[Terms]] = field(default_factory=dict)
    why_serial: str = ""
    products: int = -1
    """How many products of sizes were known when the isl objects were made; they name all of these."""

    @property
    def line(self) -> int:
        return self.root.line

    def loop(self, variable: str) -> Loop:
        return next(loop for leaf in self.group for loop in leaf.loops if loop.variable == variable)

    @property
    def threaded(self) -> list[str]:
        """The loops whose turns different threads make."""
        return {Kind.MAP: self.parallel, Kind.SERIAL: []}.get(self.kind, [*self.parallel, *self.reduced])

    @property
    def accesses(self) -> list[Access]:
        return [access for leaf in self.group for access in leaf.accesses]

    @property
    def target_places(self) -> dict[str, Expression]:
        return {a.array: a.expression for a in self.accesses if a.kind == UPDATE and a.array in self.targets}

    @property
    def updates(self) -> list[Update]:
        return [one for leaf in self.group for one in every(leaf.statements) if isinstance(one, Update)]

    @property
    def is_worth_launching(self) -> bool:
        """Whether it has threads, and makes more turns than one thread makes in the time of a launch."""
        return self.kind is not Kind.SERIAL and _turns_at_most(self.group) > FEW

    def prepare(self, scop: Scop) -> None:
        """Make the isl objects of this nest current. Only this nest prepares its leaves once the plan is made."""
        if self.products != len(scop.symbols.products):
            self.group, self.shapes = scop.prepare([self.root], self.host_loops)
            self.products = len(scop.symbols.products)

    def read_only(self, scop: Scop) -> list[str]:
        """Arrays that the nest reads and never writes."""
        written = {a.array for a in self.accesses if a.kind != READ}
        return sorted({a.array for a in self.accesses if a.array in scop.arrays} - written)


@dataclass(slots=True, eq=False)
class HostLoop:
    """A sequential loop that the launcher runs."""

    loop: Loop
    leaf: Leaf
    body: "list[PlanItem]"


@dataclass(slots=True, eq=False)
class ScalarCode:
    """Statements outside all nests: one thread runs them."""

    leaves: list[Leaf]
    host_loops: tuple[str, ...]


@dataclass(slots=True, eq=False)
class WayOut:
    """Where the launcher reads a flag, and leaves the loop around it if that says so."""

    leaf: Leaf
    flag: str
    """A local of type `int`."""
    goes_on: bool
    """Whether the loop goes on while the flag is set; otherwise it goes on until then."""

    @property
    def leaves(self) -> list[Leaf]:
        return [self.leaf]


PlanItem = Nest | HostLoop | ScalarCode | WayOut


class Planner:
    """Finds the nests of a function.

    Args:
        scop: The function's polyhedral form.
        atomics_vary: Updates of floats by atomics are allowed, though their order is not fixed.
        one_thread: Loops, by variable and line, that one thread runs whatever is found in them.
        lengths: Element counts of the parameters that have the same in every call.
        counted: Parameters whose lengths the launcher knows; None where it may allocate no memory.
    """

    def __init__(
        self,
        scop: Scop,
        *,
        atomics_vary: bool,
        one_thread: Sequence[tuple[str, int]] = (),
        lengths: Mapping[str, int] | None = None,
        counted: Collection[str] | None = None,
    ) -> None:
        self.scop, self.atomics_vary, self.one_thread = scop, atomics_vary, frozenset(one_thread)
        self.lengths, self.counted = lengths or {}, counted
        self.nests: list[Nest] = []
        self.plan = self._sequence(scop.tree, ())

    def _sequence(self, nodes: list[Node], host: tuple[str, ...]) -> list[PlanItem]:
        items: list[PlanItem] = []
        for node in nodes:
            if isinstance(node, Loop) and node.launched is not None:
                items.append(self._launched(node, host))
                continue
            if isinstance(node, Loop):
                group, _ = self.scop.prepare([node], host)
                if not all(leaf.domain.is_empty() for leaf in group):  # a loop over nothing is no nest
                    items.append(self._loop(node, host))
                continue
            self.scop.prepare([node], host)
            if node.is_way_out:
                items.append(_way_out(node))
            elif items and isinstance(items[-1], ScalarCode):
                items[-1].leaves.append(node)
            else:
                items.append(ScalarCode([node], host))
        return items

    def _launched(self, root: Loop, host: tuple[str, ...]) -> HostLoop:
        """A loop that the launcher runs whatever is inside: its variable is a parameter there."""
        inner = (*host, root.variable)
        group, _ = self.scop.prepare([root], inner)
        return HostLoop(root, group[0], self._sequence(root.children, inner))

    def _loop(self, root: Loop, host: tuple[str, ...]) -> Nest | HostLoop:
        nest = self._classified(root, host)
        inner = (*host, root.variable)
        if any(loop.left_by_flag for loop in all_loops([root])):
            if nest.kind is not Kind.SERIAL and loop_key(root) not in self.one_thread:
                raise CannotTransform("a loop with independent iterations is around one that data end", line=root.line)
            return HostLoop(root, nest.group[0], self._sequence(root.children, inner))
        if loop_key(root) in self.one_thread:
            nest.kind, nest.parallel, nest.reduced, nest.targets, nest.copies = Kind.SERIAL, [], [], {}, {}
        elif (nest.kind is Kind.SERIAL and any(self._parallel_inside(child, inner) for child in root.children)) or (
            nest.kind is Kind.SERIAL
            and not self._take_own_copies(nest)
            and any(self._parallel_inside(child, inner, copies=True) for child in root.children)
        ):
            return HostLoop(root, nest.group[0], self._sequence(root.children, inner))
        nest.prepare(self.scop)
        self.nests.append(nest)
        return nest

    def _classified(self, root: Loop, host: tuple[str, ...]) -> Nest:
        group, shapes = self.scop.prepare([root], host)
        chain = [root]
        while len(chain[-1].children) == 1 and isinstance(chain[-1].children[0], Loop):
            chain.append(chain[-1].children[0])
        parallel: list[str] = []
        reduced: list[str] = []
        targets: dict[str, str] = {}
        required = self.scop.required()
        in_order: Pairs = []
        for position, loop in enumerate(chain):
            pairs = conflicts(group, position, (), self.scop.shared_locals, required)
            if pairs and position == 0 and are_apart(loop):  # inside of others, turns of these may meet
                pairs = []
            operators = only_updates(pairs)
            in_order = in_order or pairs
            if not pairs and parallel and is_narrow(group, position):
                continue  # the threads of all loops together would be as many as the corners of a band's box
            if not pairs:
                parallel.append(loop.variable)
            elif operators is not None:
                reduced.append(loop.variable)
                targets |= operators
        nest = Nest(
            number=len(self.nests) + 1,
            kind=Kind.MAP if parallel else Kind.SERIAL,
            root=root,
            host_loops=host,
            chain=chain,
            parallel=parallel,
            reduced=reduced,
            targets=targets,
            group=group,
            shapes=shapes,
            why_serial=of_dependence(in_order),
        )
        if not parallel and reduced[:1] == [root.variable]:
            self._classify_updates(nest)
        elif (
            parallel
            and self.counted is not None
            and _points_at_most(nest) <= FEW_THREADS
            and not self._take_copies(nest, least=WORTH_COPIES, most=MOST_IN_MEMORY)
        ):
            # Few threads with long sums leave a device idle: turns of the sums become threads instead.
            self._take_own_copies(nest)
        return nest

    def _classify_updates(self, nest: Nest) -> None:
        updates = [a for a in nest.accesses if a.kind == UPDATE and a.array in nest.targets]
        one_place = len({(a.array, a.expression) for a in updates}) == len(nest.targets)
        if one_place and not any(self._moves(access) for access in updates):
            nest.kind = Kind.REDUCE
        elif not self._counts_by_atomics(nest) and self._take_copies(nest):
            return
        elif all(self._has_atomics(nest, name) or self._takes_wide_cells(nest, name) for name in nest.targets):
            floats = [name for name in nest.targets if not self._is_order_free(nest, name)]
            if not floats or self.atomics_vary:
                nest.kind = Kind.SCATTER
            else:
                nest.why_serial = (
                    f"atomic updates of {_at_line(floats[0], updates)} would not give the same result every time"
                )
        else:
            without = next(
                n for n in nest.targets if not self._has_atomics(nest, n) and not self._takes_wide_cells(nest, n)
            )
            nest.why_serial = f"CUDA has no atomic operation for its updates of {_at_line(without, updates)}"
        if nest.kind is Kind.SERIAL and self.counted is not None:  # one thread would make all turns
            self._take_copies(nest, least=WORTH_COPIES, most=MOST_IN_MEMORY)

    def _has_atomics(self, nest: Nest, name: str) -> bool:
        """Whether all updates of a target have atomic operations: some may be by another operator, and meet along another loop."""
        type_name = self.scop.element_type(name)
        if is_float(type_name) and self._is_order_free(nest, name):
            return True
        return all(
            has_atomic(access.operator or nest.targets[name], type_name)
            for access in nest.accesses
            if access.array == name and access.kind == UPDATE
        )

    def _is_order_free(self, nest: Nest, name: str) -> bool:
        """Whether updates of a target come to the same in every order: integers, and floats of which a test takes the larger or smaller,
        so that no NaN is taken and one that is there stays."""
        if is_integer(self.scop.element_type(name)):
            return True
        updates = [one for leaf in nest.group for one in every(leaf.statements) if isinstance(one, Update)]
        own = {(one.operator, one.test.removesuffix("=")) for one in updates if place_name(one.target) == name}
        return len(own) == 1 and own <= {("max", "<"), ("min", ">")}

    def _counts_by_atomics(self, nest: Nest) -> bool:
        """Whether all targets are integers that CUDA has atomic operations for: copies are left to rules then."""
        types = {name: self.scop.element_type(name) for name in nest.targets}
        return all(
            is_integer(types[name]) and has_atomic(operator, types[name]) for name, operator in nest.targets.items()
        )

    def _takes_wide_cells(self, nest: Nest, name: str) -> bool:
        """Whether updates of an array of small integers can be collected in a wider one: it needs a length, and they must be all
        that the nest does to the array."""
        if self.counted is None or not has_wide_cells(nest.targets[name], self.scop.element_type(name)):
            return False
        local = self.scop.locals.get(name)
        has_length = bool(local.lengths) if local else name in self.counted or name in self.scop.buffers
        own = [access for access in nest.accesses if access.array == name]
        return has_length and all(access.kind == UPDATE and access.operator == nest.targets[name] for access in own)

    def _take_copies(self, nest: Nest, *, least: int = FEW, most: int = MOST_IN_REGISTERS) -> bool:
        """Make it a reduction to arrays of `most` elements, copies of which each thread has, if it makes more than `least` turns."""
        moving = [one for one in nest.reduced if _turns_along(nest, one) > FEW]
        if not moving or math.prod(_turns_along(nest, one) for one in moving) <= least:
            return False
        lengths = {n: fixed_length(n, self.scop, self.lengths, len(nest.host_loops)) for n in self._spread(nest)}
        known = {name: length for name, length in lengths.items() if length is not None}
        copies = copies_of(nest.group, known, moving, self.scop, most) if len(known) == len(lengths) else None
        if not copies:
            return False
        nest.kind, nest.parallel, nest.reduced, nest.copies = Kind.REDUCE, [], moving, copies
        return True

    def _take_own_copies(self, nest: Nest) -> bool:
        """Have every thread add to copies in device memory, if iterations meet in nothing but sums, of floats too, of which data choose
        the elements."""
        nest.group, nest.shapes = self.scop.prepare([nest.root], nest.host_loops)
        moving = [one for one in nest.reduced if _turns_along(nest, one) > FEW]
        first = nest.parallel or nest.reduced[:1] == [nest.root.variable]
        turns = math.prod(_turns_along(nest, one) for one in moving)
        if self.counted is None or not first or turns <= WORTH_COPIES:
            return False
        own = [access for access in nest.accesses if access.array in nest.targets]
        floats = [one for one in own if is_float(self.scop.element_type(one.array))]
        chosen = bool(floats) and all(self._is_chosen_by_data(one) for one in floats)
        if not chosen or not all(access.kind == UPDATE and self._is_plain_sum(nest, access) for access in own):
            return False
        nest.kind, nest.parallel, nest.reduced = Kind.COPIES, [], moving
        return True

    def _is_chosen_by_data(self, access: Access) -> bool:
        """Whether an element's place is made of more than loop variables and parameters, whatever those are."""
        inner = {one.variable for one in every(access.leaf.statements) if isinstance(one, For)}
        plain = {parameter.name for parameter in self.scop.function.parameters} | set(access.leaf.dims) | inner
        places = access.expression.subscripts if isinstance(access.expression, Element) else ()
        return any(
            isinstance(part, Element) or (isinstance(part, Variable) and part.name not in plain)
            for place in places
            for part in walk(place)
        )

    def _is_plain_sum(self, nest: Nest, access: Access) -> bool:
        """Whether an access is to an array of one dimension that sums are formed in, of a length that the launcher knows."""
        assert self.counted is not None, "asked where memory may be allocated"
        name = access.array
        known = name in self.counted or name in self.scop.buffers
        is_sum = (access.operator or nest.targets[name]) == "+" and not has_wide_cells(
            "+", self.scop.element_type(name)
        )
        return known and is_sum and not nest.shapes.get(name)

    def _spread(self, nest: Nest) -> list[str]:
        """Targets that are updated at more places than one."""
        updates = [a for a in nest.accesses if a.kind == UPDATE and a.array in nest.targets]
        moving = {access.array for access in updates if self._moves(access)}
        places = {(access.array, access.expression) for access in updates}
        names = [array for array, _ in places]
        return [name for name in nest.targets if name in moving or names.count(name) > 1]

    @staticmethod
    def _moves(access: Access) -> bool:
        """Whether an update's place depends on a loop inside the nest."""
        if isinstance(access.expression, Element) and access.index is None:
            return True
        return any(names_in(polynomial) & set(access.leaf.dims) for polynomial in access.index or [])

    def _parallel_inside(self, node: Node, host: tuple[str, ...], *, copies: bool = False) -> bool:
        """Whether a loop has parallel ones inside, or is one, that are worth a launch for each turn of the loops in `host`; with `copies`,
        those too whose threads add to copies of their own."""
        if isinstance(node, Leaf):
            return False
        group, _ = self.scop.prepare([node], host)
        if _turns_at_most(group) <= FEW:
            return False
        nest = self._classified(node, host)
        if nest.kind is not Kind.SERIAL or (copies and self._take_own_copies(nest)):
            return True
        return any(self._parallel_inside(child, (*host, node.variable), copies=copies) for child in node.children)


def _at_line(name: str, updates: Sequence[Access]) -> str:
    """A target, and where it is updated."""
    line = next((access.line for access in updates if access.array == name), None)
    return f"'{name}'" if line is None else f"'{name}' at line {line}"


def _way_out(leaf: Leaf) -> WayOut:
    (statement,) = leaf.statements
    assert isinstance(statement, If)
    negated = isinstance(statement.condition, Unary)
    return WayOut(leaf, leaf.accesses[0].array, goes_on=negated)


def _turns_at_most(group: Sequence[Leaf]) -> float:
    """How often leaves run in one turn of the loops outside of their dimensions, whatever the sizes; infinite where sizes bound it."""
    return sum(_turns_of(leaf) for leaf in group)


def _turns_of(leaf: Leaf) -> float:
    if any(isinstance(statement, For | While) for statement in every(leaf.statements)):
        return math.inf
    return math.prod(most_turns(leaf, position) for position in range(len(leaf.dims)))


def _turns_along(nest: Nest, variable: str) -> float:
    """How many values a loop of the nest takes at most; infinite where the sizes bound it."""
    leaves = [leaf for leaf in nest.group if variable in leaf.dims]
    return max(most_turns(leaf, leaf.dims.index(variable)) for leaf in leaves)


def _points_at_most(nest: Nest) -> float:
    """How many points the parallel loops of a nest have, whatever the sizes; infinite where these bound it."""
    return math.prod(_turns_along(nest, one) for one in nest.parallel)


def has_atomic(operator: str, type_name: str) -> bool:
    """Whether CUDA has an atomic operation for `x = x operator y` on this type on every architecture from sm_60 on."""
    if is_float(type_name):
        return operator == "+"
    return operator != "*" and type_name in ("int", "unsigned int", "long long", "unsigned long long")


def keeps_best(operator: str, type_name: str) -> bool:
    """Whether updates are maxima or minima of floats, for which programs bring atomic operations."""
    return operator in ("max", "min") and is_float(type_name)


def has_wide_cells(operator: str, type_name: str) -> bool:
    """Whether updates of cells of this type may be collected in cells of type `int`, which have atomics, and then combined with them."""
    return operator != "*" and is_integer(type_name) and type_name != "bool" and size_bytes(type_name) < 4
