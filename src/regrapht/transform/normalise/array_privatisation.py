"""Array privatisation: small arrays that every turn of a loop writes before it reads them.

Each turn can have its own, although they are declared outside.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from regrapht.transform.ir.names import place_names
from regrapht.transform.ir.statements import Declare, For, Function, Statement
from regrapht.transform.normalise.forms import Form
from regrapht.transform.plan.analysis import Analysis, scop_of
from regrapht.transform.plan.private_copies import MOST_IN_REGISTERS
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, WRITE, Access, Loop, leaves, loop_key
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.turns import FEW, most_turns


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, For]]:
    body = analysis.function.body
    if not _small(body) or not any(isinstance(s, For) for s in body):
        return
    for loop, changed in with_arrays_privatised(scop_of(analysis.task, analysis.function, analysis.guard)):
        yield replace(analysis.function, body=changed), loop


def _accept(_: Analysis, after: Analysis, loop: For) -> bool:
    """Whether the loop's turns are independent."""
    nests = [nest for nest in after.nests if loop_key(nest.root) == loop_key(loop)]
    return len(nests) == 1 and not nests[0].host_loops and loop.variable in nests[0].parallel


ARRAY_PRIVATISATION = Form(_candidates, _accept)


def _small(body: list[Statement]) -> list[Declare]:
    arrays = [s for s in body if isinstance(s, Declare) and s.lengths and s.values is None]
    return [array for array in arrays if math.prod(array.lengths) <= MOST_IN_REGISTERS]


def with_arrays_privatised(scop: Scop) -> Iterator[tuple[For, list[Statement]]]:
    """For each outermost loop that could have such arrays for each of its turns: the loop, and the function's body with them inside.

    isl proves for each read that the same turn wrote the element before. Not found: writes that only an earlier turn of a loop further
    inside makes, or under conditions that are not affine.
    """
    body = scop.function.body
    small = _small(body)
    for node in scop.tree:
        loops = [s for s in body if isinstance(s, For) and isinstance(node, Loop) and loop_key(s) == loop_key(node)]
        if not isinstance(node, Loop) or len(loops) != 1:
            continue
        own = [s for s in small if _only_here(scop, s.name, node) and _written_first(scop, s, node)]
        if own and _turns(scop, node) > FEW:
            inside = replace(loops[0], body=[*own, *loops[0].body])
            yield inside, [inside if s is loops[0] else s for s in body if not any(s is one for one in own)]


def _only_here(scop: Scop, name: str, node: Loop) -> bool:
    users = [leaf for leaf in leaves(scop.tree) if any(access.array == name for access in leaf.accesses)]
    here = leaves(node)
    return bool(users) and all(any(leaf is one for one in here) for leaf in users)


def _turns(scop: Scop, node: Loop) -> float:
    """The most turns that a loop makes, whatever the sizes; infinite where they bound it."""
    return max(most_turns(leaf, 0) for leaf in scop.prepare([node], ())[0])


def _written_first(scop: Scop, array: Declare, node: Loop) -> bool:
    """Whether each read in a turn of the loop is of an element that the turn has written; a place that data choose is inside the array."""
    group, _ = scop.prepare([node], ())
    accesses = [access for leaf in group for access in leaf.accesses if access.array == array.name]
    names = ", ".join(sorted(scop.symbols.parameters | set(scop.symbols.products)))
    required = f"[{names}] -> {{ : {' and '.join(scop.assumptions) or 'true'} }}"
    places = place_names(len(array.lengths))
    bounds = " and ".join(f"0 <= {place} < {length}" for place, length in zip(places, array.lengths, strict=True))
    elements = isl().Set(f"{{ {array.name}[{', '.join(places)}] : {bounds} }}")
    for position, read in enumerate(accesses):
        if read.kind == WRITE:
            continue
        missing = read.map.intersect_range(elements)
        for write in accesses[:position]:
            if write.kind != READ and write.certain and write.index is not None:
                missing = missing.subtract(_written_before(write, read))
        if not missing.intersect_params(isl().Set(required)).is_empty():
            return False
    return True


def _written_before(write: Access, read: Access) -> Any:
    """What a write that stands in front of a read has set when the read comes, from its turns of their common loops' present one."""
    common = 0
    for one, other in zip(write.leaf.loops, read.leaf.loops, strict=False):
        if one is not other:
            break
        common += 1
    kind = isl().dim_type.in_
    set_here = write.map.project_out(kind, common, write.map.dim(kind) - common).reset_tuple_id(kind)
    names, dims = read.leaf.parameters, ", ".join(read.leaf.dims)
    present = isl().Map(f"[{names}] -> {{ {read.leaf.name}[{dims}] -> [{', '.join(read.leaf.dims[:common])}] }}")
    return present.apply_range(set_here)
