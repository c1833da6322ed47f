"""Array expansion and loop distribution of a launcher's loop: turns that share nothing but scratch run in one launch, with a buffer each.

Where turns also add up into the same elements, the loop is cut in front of what does: everything before it runs in one launch as well, and
what one part hands to the next lies in memory, an element a turn (scalar expansion).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from regrapht.transform.ir.expressions import Call, Cast, Element, Expression, Variable, walk
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.statement_walk import (
    assigned_variables,
    mentions_array,
    mentions_variable,
    rewritten,
    with_statement,
)
from regrapht.transform.ir.statements import Allocate, Assign, Declare, For, Statement, every
from regrapht.transform.normalise.array_expansion import Expanded, with_buffers_expanded
from regrapht.transform.plan.analysis import Analysis, Program, reanalysed
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.polyhedral.conflicts import conflicts, only_updates
from regrapht.transform.polyhedral.loop_tree import Leaf, all_loops, leaves, loop_key


def loops_around(program: Program, nest: Nest) -> list[For]:
    """The launcher's loops around a nest, the innermost first."""
    found: list[For] = []
    statements = program.analysis.function.body
    for variable in nest.host_loops:
        around = [s for s in every(statements) if isinstance(s, For) and s.variable == variable and _holds(s, nest)]
        if not around:
            return []
        found.insert(0, around[0])
        statements = around[0].body
    return found


def loops_at(program: Program, nest: Nest) -> list[For]:
    """The loops that a nest and its surroundings could have apart: its own where one thread runs it, then the launcher's around it."""
    around = loops_around(program, nest)
    if nest.kind is not Kind.SERIAL or len(around) < len(nest.host_loops):
        return around
    inside = around[0].body if around else program.analysis.function.body
    own = [s for s in every(inside) if isinstance(s, For) and _is(s, nest)]
    return [*own, *around] if len(own) == 1 else around


def nests_inside(program: Program, loop: For) -> list[Nest]:
    """The nests that start with a loop, or inside of one of the launcher's."""
    return [
        nest for nest in program.nests if _is(loop, nest) or (loop.variable in nest.host_loops and _holds(loop, nest))
    ]


def _holds(loop: For, nest: Nest) -> bool:
    return any(isinstance(one, For) and _is(one, nest) for one in every(loop.body))


def _is(loop: For, nest: Nest) -> bool:
    return loop_key(loop) == loop_key(nest.root)


def with_turns_expanded(program: Program, loop: For) -> Analysis | None:
    """The function analysed again with a part of each scratch buffer of `loop` for each of its turns.

    None where the loop does not count from 0 to a bound, uses no such buffer, or the number of its turns is not known when the function
    begins.
    """
    apart = with_buffers_expanded(program.analysis.function, program.scop, loop)
    return None if apart is None or apart.loop is loop else reanalysed(program.analysis, apart.function)


def with_turns_distributed(program: Program, loop: For) -> Analysis | None:
    """The same with the loop cut, so that statements in which turns add up into the same elements have loops of their own.

    None where turns share more than that, or nothing is left to be cut off.
    """
    apart = with_buffers_expanded(program.analysis.function, program.scop, loop)
    whole = None if apart is None else reanalysed(program.analysis, apart.function)
    if apart is None or whole is None:
        return None
    ends = _ends_of_parts(whole, apart.loop)
    parts = _handed_over(apart, ends) if ends else None
    if parts is None:
        return None
    bodies, buffers = parts
    body = with_statement(apart.function.body, apart.loop, [replace(apart.loop, body=part) for part in bodies])
    first = next(at for at, one in enumerate(apart.function.body) if any(part is apart.loop for part in every([one])))
    identifiers = apart.function.identifiers | {buffer.name for buffer in buffers}
    function = replace(apart.function, body=[*body[:first], *buffers, *body[first:]], identifiers=identifiers)
    return reanalysed(program.analysis, function)


# ---- cutting


def _ends_of_parts(whole: Analysis, loop: For) -> list[int]:
    """Where the loop's body can be cut around what turns share; empty where turns share more than sums, or nothing is beside these."""
    scop = whole.scop
    found = [node for node in all_loops(scop.tree) if loop_key(node) == loop_key(loop)]
    if len(found) != 1:
        return []
    around = leaves(found[0])[0].iterators
    group, _ = scop.prepare([found[0]], around[: around.index(loop.variable)])
    places = {leaf.name: _place(leaf, loop) for leaf in group}
    pairs = conflicts(group, 0, (), scop.shared_locals)
    if only_updates(pairs) is None:
        return []
    spans = [sorted((places[one.leaf.name], places[other.leaf.name])) for one, other in pairs]
    ends = {end for low, high in spans for end in (low, high + 1)}
    return sorted(end for end in ends if 0 < end < len(loop.body) and not any(low < end <= high for low, high in spans))


def _place(leaf: Leaf, loop: For) -> int:
    """Which statement of the loop's body a leaf belongs to."""
    return next(at for at, one in enumerate(loop.body) if any(part is leaf.statements[0] for part in every([one])))


def _handed_over(apart: Expanded, ends: Sequence[int]) -> tuple[list[list[Statement]], list[Allocate]] | None:
    """The body of a loop in parts that end at `ends`, and the buffers that carry scalars from one to a later one.

    None where a local array is used in two parts, or a later one changes a scalar.
    """
    bounds = [0, *ends, len(apart.loop.body)]
    bodies = [apart.loop.body[low:high] for low, high in pairwise(bounds)]
    changing = assigned_variables(apart.loop.body)
    buffers: list[Allocate] = []
    # The last one first: where a declaration is made again further down, it takes the locals before it along.
    for local in reversed([one for one in apart.loop.body if isinstance(one, Declare)]):
        home = next(at for at, body in enumerate(bodies) if any(one is local for one in body))
        users = [at for at, body in enumerate(bodies) if at != home and _uses(body, local)]
        if not users:
            continue
        if local.lengths or any(local.name in assigned_variables(bodies[at]) for at in users):
            stays = _uses([one for one in bodies[home] if one is not local], local)
            if stays or len(users) > 1 or not _is_cheap(local, changing):
                return None
            bodies[home] = [one for one in bodies[home] if one is not local]
            bodies[users[0]].insert(0, local)
        elif local.name not in changing and local.value is not None and _is_cheap(local, changing):
            # Not declared again: a loop around nothing but the next one shows more.
            for at in users:
                bodies[at] = rewritten(
                    bodies[at], partial(_replaced, Variable(local.name), Cast(local.type, local.value))
                )
        else:
            buffer = Allocate(
                local.type, fresh_name(f"{local.name}_each", apart.function.identifiers), apart.turns, local.line
            )
            own = Element(buffer.name, (Variable(apart.loop.variable),))
            bodies[home].append(Assign(own, Variable(local.name), local.line))
            for at in users:
                bodies[at] = rewritten(bodies[at], partial(_replaced, Variable(local.name), own))
            buffers.append(buffer)
    return bodies, buffers


def _replaced(old: Expression, new: Expression, part: Expression) -> Expression | None:
    return new if part == old else None


def _uses(statements: list[Statement], local: Declare) -> bool:
    return mentions_variable(statements, local.name) or mentions_array(statements, local.name)


def _is_cheap(local: Declare, changing: set[str]) -> bool:
    """Whether a local's first value can be had anywhere in the turn, from names that do not change."""
    parts = [part for value in (local.value, *(local.values or ())) if value is not None for part in walk(value)]
    moving = [part for part in parts if isinstance(part, Variable) and part.name in changing]
    return not moving and not any(isinstance(part, Element | Call) for part in parts)
