"""How one iteration of a parallel loop can be shared by the threads of a block: phase by phase."""

from dataclasses import dataclass
from enum import StrEnum

from regrapht.source.polynomial import names_in
from regrapht.transform.codegen.row_loops import RowLoop, row_loops
from regrapht.transform.ir.expressions import Expression
from regrapht.transform.plan.nest import Nest
from regrapht.transform.polyhedral.conflicts import conflicts, only_updates
from regrapht.transform.polyhedral.loop_tree import READ, Leaf, Loop, Node, leaves, without_loops
from regrapht.transform.polyhedral.scop import Scop


class Share(StrEnum):
    ALL = "all"
    """Every thread does it, for values in registers; one thread where it writes memory. Loops of a leaf may be shared."""
    LOOP = "loop"
    """Threads share the loop's iterations."""
    REDUCE = "reduce"
    """They do, and combine what they update."""


@dataclass(frozen=True, slots=True)
class Phase:
    node: Node
    share: Share
    targets: dict[Expression, str]
    """What is reduced, with the operator."""
    loops: tuple[RowLoop, ...] = ()
    """Loops of the leaf that threads share, and combine what they update."""


def row_phases(nest: Nest, mapped: list[str], scop: Scop) -> list[Phase] | str:
    """The phases of one iteration of the loops `mapped`; a text where they cannot be shared."""
    if [loop.variable for loop in nest.chain[: len(mapped)]] != mapped:
        return "the parallel loops are not the outermost"
    depth = len(nest.host_loops) + len(mapped)
    memory = scop.in_memory(len(nest.host_loops))
    phases: list[Phase] = []
    reasons: list[str] = []
    for node in without_loops(nest.root, mapped):
        found = _leaf(node, memory, scop, reasons) if isinstance(node, Leaf) else _loop(node, len(mapped), depth, scop)
        if isinstance(found, str):
            return found
        phases.append(found)
    if not any(phase.share is Share.REDUCE or phase.loops for phase in phases):
        return ": ".join(["no reduction inside the parallel loop", *reasons[:1]])
    return phases


def _leaf(leaf: Leaf, memory: set[str], scop: Scop, reasons: list[str]) -> Phase | str:
    """The phase of a leaf; `reasons` gets why loops of it are not shared."""
    loops, why = row_loops(leaf.statements, scop.symbols.types)
    reasons += why
    if loops:
        return Phase(leaf, Share.ALL, {}, tuple(loops))
    written = {access.array for access in leaf.accesses if access.kind != READ}
    if written & memory and written & scop.shared_locals - memory:
        return f"the statements at line {leaf.line} write both memory and locals that other threads need"
    return Phase(leaf, Share.ALL, {})


def _loop(loop: Loop, position: int, depth: int, scop: Scop) -> Phase | str:
    group = leaves(loop)
    pairs = conflicts(group, position, range(position), scop.shared_locals)
    if not pairs:
        for access in [a for leaf in group for a in leaf.accesses]:
            outer = access.array in scop.shared_locals and len(scop.locals[access.array].loops) <= depth
            if access.kind != READ and outer:
                return f"'{access.array}' is written by one iteration and used later"
        return Phase(loop, Share.LOOP, {})
    operators = only_updates(pairs)
    if operators is None:
        return f"the loop over '{loop.variable}' has dependences that are not a reduction"
    places: dict[str, set[Expression]] = {}
    for leaf in group:
        for access in leaf.accesses:
            if access.array not in operators:
                continue
            moving = {name for polynomial in access.index or [] for name in names_in(polynomial)}
            if access.index is None or moving & set(leaf.dims[position:]):
                return f"'{access.array}' is updated at different places"
            places.setdefault(access.array, set()).add(access.expression)
    if any(len(found) > 1 for found in places.values()):
        return "one array is reduced at several places"
    return Phase(loop, Share.REDUCE, {next(iter(found)): operators[name] for name, found in places.items()})
