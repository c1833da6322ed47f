"""The place of a smallest or largest value in a nest that would run in one thread: `if (v < best) { best = v; at = i; }`."""

from dataclasses import dataclass

from regrapht.source.polynomial import names_in
from regrapht.transform.ir.expressions import Binary, Element, Expression, Variable, place_name, rewrite, walk
from regrapht.transform.ir.idioms import MIRRORED
from regrapht.transform.ir.statement_walk import expressions_of
from regrapht.transform.ir.statements import Assign, Declare, If, Statement
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.polyhedral.conflicts import conflicts
from regrapht.transform.polyhedral.loop_tree import READ, Leaf
from regrapht.transform.polyhedral.scop import Scop


@dataclass(frozen=True, slots=True, kw_only=True)
class Extreme:
    """Iterations of which the best one alone leaves something behind."""

    leaf: Leaf
    best: Variable | Element
    """Where the best value stands: one of the targets, or an element that one of them names."""
    type: str
    operator: str
    """`value operator best` lets an iteration take over: with `<` and `>` the first of equal ones stays, else the last."""
    value: Expression
    locals: tuple[Declare, ...]
    """What an iteration declares first."""
    others: tuple[Expression, ...]
    """Further conditions on an iteration."""


def extreme_of(nest: Nest, scop: Scop) -> Extreme | str:
    """The search for an extreme value that a nest is; a text that says why it is none."""
    if nest.kind is not Kind.SERIAL:
        return "its iterations need no order"
    if len(nest.group) != 1 or nest.chain[-1].children != nest.group:
        return "it is more than loops around plain statements"
    if any(loop.step != 1 for loop in nest.chain):
        return "one of its loops does not go up one by one"
    (leaf,) = nest.group
    *first, last = leaf.statements
    locals_ = [one for one in first if isinstance(one, Declare) and not one.lengths]
    if (
        len(locals_) != len(first)
        or not isinstance(last, If)
        or last.otherwise
        or leaf.is_cut_by([loop.variable for loop in nest.chain])
    ):
        return "it is not one condition that lets an iteration take over"
    if any(access.array in leaf.own and access.array in scop.assigned for access in leaf.accesses):
        return "its locals change"
    targets = _targets(last.then)
    if targets is None:
        return "its condition does more than set values at fixed places"
    names = {place_name(target) for target in targets}
    meeting = {pair[0].array for pair in conflicts([leaf], 0, (), scop.shared_locals)}
    written = {access.array for access in leaf.accesses if access.kind != READ} - leaf.own
    if not meeting <= names or written != names or names & leaf.own or not _fixed(leaf, names):
        return "its iterations meet in more than the values at fixed places that the best one sets"
    return _compared(leaf, last, targets, locals_, names, scop)


def _targets(statements: list[Statement]) -> "dict[Variable | Element, Expression] | None":
    """What plain assignments set, each target once; None for other statements."""
    found: dict[Variable | Element, Expression] = {}
    for statement in statements:
        if not isinstance(statement, Assign) or statement.target in found:
            return None
        found[statement.target] = statement.value
    return found


def _fixed(leaf: Leaf, names: set[str]) -> bool:
    """Whether all accesses to `names` are at places that no loop moves, one place each."""
    for name in names:
        own = [access for access in leaf.accesses if access.array == name]
        if len({access.expression for access in own}) != 1:
            return False
        if isinstance(own[0].expression, Element) and own[0].index is None:
            return False
        moving = {name for polynomial in own[0].index or [] for name in names_in(polynomial)}
        if moving & set(leaf.dims) or _free(own[0].expression, leaf.own):
            return False
    return True


def _free(expression: Expression, names: set[str]) -> bool:
    """Whether an expression mentions one of these names."""
    return any(
        (isinstance(part, Variable) and part.name in names) or (isinstance(part, Element) and part.array in names)
        for part in walk(expression)
    )


def _compared(
    leaf: Leaf,
    condition: If,
    targets: "dict[Variable | Element, Expression]",
    locals_: list[Declare],
    names: set[str],
    scop: Scop,
) -> Extreme | str:
    parts = _conjuncts(condition.condition)
    found = [(part, side) for part in parts for side in (0, 1) if _is_best(part, side, targets)]
    if len(found) != 1:
        return "it does not compare with one of the values that it sets"
    part, side = found[0]
    assert isinstance(part, Binary)
    best, value = (part.left, part.right) if side == 0 else (part.right, part.left)
    operator = part.operator if side == 1 else MIRRORED[part.operator]
    assert isinstance(best, Variable | Element)
    others = tuple(one for one in parts if one is not part)
    free = [value, *others, *(v for t, v in targets.items() if t != best), *expressions_of(list(locals_))]
    if targets.get(best, value) != value or any(_free(one, names) for one in free):
        return "what it compares is not what it keeps, or depends on what it keeps"
    name = place_name(best)
    return Extreme(
        leaf=leaf,
        best=best,
        type=scop.element_type(name),
        operator=operator,
        value=value,
        locals=tuple(locals_),
        others=others,
    )


def _conjuncts(condition: Expression) -> list[Expression]:
    if isinstance(condition, Binary) and condition.operator == "&&":
        return _conjuncts(condition.left) + _conjuncts(condition.right)
    return [condition]


def _is_best(part: Expression, side: int, targets: "dict[Variable | Element, Expression]") -> bool:
    """Whether one side of a comparison is the best value so far: a target, or `a[at]` where `at` is set to the place of the other side."""
    own, other = _side(part, side), _side(part, 1 - side)
    if own is None or own in targets:
        return own is not None
    places = {target: value for target, value in targets.items() if isinstance(target, Variable)}
    moved = rewrite(own, lambda one: places.get(one) if isinstance(one, Variable) else None)
    return isinstance(own, Element) and moved == other != own


def _side(condition: Expression, side: int) -> Expression | None:
    if not isinstance(condition, Binary) or condition.operator not in MIRRORED:
        return None
    return condition.right if side else condition.left
