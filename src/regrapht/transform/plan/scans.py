"""Prefix sums and the like in a nest that would run in one thread: what each iteration adds, and who reads the running value."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from regrapht.source.polynomial import add, constant, names_in
from regrapht.transform.ir.expressions import (
    Binary,
    Call,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    mentions,
    place_name,
    rewrite,
    walk,
)
from regrapht.transform.ir.idioms import as_term, assignment, written_out
from regrapht.transform.ir.statement_walk import expressions_of, rewritten
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, While, blocks, every
from regrapht.transform.plan.contributions import Contribution, NoScan, RunningValue, StateMap
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.state_maps import map_of
from regrapht.transform.polyhedral.conflicts import conflicts
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, WRITE, Access, Leaf, Loop
from regrapht.transform.polyhedral.scop import Scop

_ASSOCIATIVE = ("+", "*", "max", "min")
_MOST_TOGETHER = 3
"""Values that hang on each other, in one map: of `k` values it has `k * (k + 1)` entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Running values whose contributions are known once the values of the stages before are."""

    values: tuple[RunningValue, ...]
    contribution: tuple[Statement, ...]
    """What of an iteration finds what it adds to these: it reads running values of earlier stages at most, and writes no memory."""
    map: StateMap | None = None
    """How the values follow from those before where that is more than adding to them; the contribution finds its entries then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """One loop whose iterations combine values into running ones, and use them on the way."""

    leaf: Leaf
    stages: tuple[Stage, ...]
    statements: tuple[Statement, ...]
    """One iteration."""
    step: int
    """1 or -1: which way the loop goes."""
    start: Expression | None
    """Where the value before the first iteration stands, in terms of the loop's variable there; None: in the running values themselves."""

    @property
    def values(self) -> tuple[RunningValue, ...]:
        """All running values, those of earlier stages first."""
        return tuple(value for stage in self.stages for value in stage.values)


def scan_of(nest: Nest, scop: Scop) -> Scan | str:
    """The scan that a nest is; a text that says why it is none."""
    if nest.kind is not Kind.SERIAL:
        return "its iterations need no order"
    if len(nest.group) != 1 or nest.root.children != nest.group:
        return "it is more than one loop around plain statements"
    if nest.root.step not in (1, -1):
        return "its loop does not go one by one"
    (leaf,) = nest.group
    if leaf.is_cut_by([nest.root.variable]):
        return "it stands under a condition"
    if any(isinstance(statement, For | While) for statement in every(leaf.statements)):
        return "it has loops that are not affine inside"
    try:
        return replace(_recurrence(leaf, nest, scop) or _running_value(leaf, nest, scop), step=nest.root.step)
    except NoScan as reason:
        return str(reason)


# ---- a running value in a variable


def _running_value(leaf: Leaf, nest: Nest, scop: Scop) -> Scan:
    pairs = conflicts([leaf], 0, (), scop.shared_locals)
    met = list(dict.fromkeys(first.array for first, _ in pairs))
    names = [name for name in met if not _is_appended(name, met, leaf)]
    if not names:
        raise NoScan(f"its iterations meet in {', '.join(met)}, not in a running value")
    values = [_running_one(name, leaf, nest, scop) for name in names]
    statements, own = _kept_in_locals(leaf, scop)
    told = replace(leaf, statements=statements, own=leaf.own | own)
    return replace(_scan(told, values, statements, None, scop), leaf=leaf)


def _kept_in_locals(leaf: Leaf, scop: Scop) -> tuple[list[Statement], set[str]]:
    """The statements with elements that a turn sets and reads again, as `y[i] = ...; last = y[i];` does, kept in locals; and these."""
    out: list[Statement] = []
    kept: dict[Element, Variable] = {}
    for place, one in enumerate(leaf.statements):
        now = rewritten([one], lambda part: kept.get(part) if isinstance(part, Element) else None) if kept else [one]
        target = one.target if isinstance(one, Assign) else None
        set_here = {place_name(s.target) for s in every([one]) if isinstance(s, Assign | Update)}
        if kept and (set_here & {element.array for element in kept} or set_here & _names_of(kept)):
            return leaf.statements, set()
        out += now
        rest = leaf.statements[place + 1 :]
        if isinstance(target, Element) and any(mentions(whole, target) for whole in expressions_of(rest)):
            local = Variable(_fresh(f"{target.array}_set_{len(kept)}", scop))
            scop.symbols.types[local.name] = scop.element_type(target.array)
            written = now[0]
            assert isinstance(written, Assign)
            out[-1:] = [
                Declare(scop.element_type(target.array), local.name, written.value, one.line),
                replace(written, value=local),
            ]
            kept[target] = local
    return out, {local.name for local in kept.values()}


def _names_of(places: Collection[Element]) -> set[str]:
    return {
        part.name
        for place in places
        for index in place.subscripts
        for part in walk(index)
        if isinstance(part, Variable)
    }


def _running_one(name: str, leaf: Leaf, nest: Nest, scop: Scop) -> RunningValue:
    own = [access for access in leaf.accesses if access.array == name]
    places = {access.expression for access in own}
    operators = {access.operator for access in own if access.kind == UPDATE}
    if len(places) != 1 or _moves(own[0], nest):
        raise NoScan(f"'{name}' is no running sum, product, minimum or maximum at one place")
    if name in leaf.own:
        raise NoScan(f"'{name}' is declared inside the loop")
    place = own[0].expression
    assert isinstance(place, Variable | Element)
    is_plain = len(operators) == 1 and all(access.kind != WRITE for access in own)
    operator = operators.pop() if is_plain else ""
    return RunningValue(
        place=place, operator=operator if operator in _ASSOCIATIVE else "", type=scop.element_type(name)
    )


def _moves(access: Access, nest: Nest) -> bool:
    if isinstance(access.expression, Variable):
        return False
    return (
        access.index is None
        or mentions(access.expression, Variable(nest.root.variable))
        or any(nest.root.variable in names_in(polynomial) for polynomial in access.index)
    )


# ---- an element from the one before


def _recurrence(leaf: Leaf, nest: Nest, scop: Scop) -> Scan | None:
    """`x[i] = x[i - 1] + ...` as a running value that is stored in every iteration; None where there is nothing like it."""
    pairs = conflicts([leaf], 0, (), scop.shared_locals)
    names = {first.array for first, _ in pairs}
    if len(names) != 1 or not names <= scop.in_memory(len(nest.host_loops)):
        return None
    (name,) = names
    touching = [one for one in leaf.statements if any(_touches(whole, name) for whole in expressions_of([one]))]
    if len(touching) != 1:
        return None
    statement = touching[0]
    if not isinstance(statement, Assign | Update) or not isinstance(statement.target, Element):
        return None
    target = statement.target
    before = [a for a in leaf.accesses if a.array == name and a.kind == READ and a.expression != target]
    behind = len({access.expression for access in before}) == 1
    if not behind or not any(_is_one_before(access, target, leaf, nest.root) for access in before):
        return None
    previous = before[0].expression
    if not isinstance(previous, Element):
        return None
    running = Variable(_fresh(f"{name}_running", scop))
    change: Assign | Update | None = _as_update(statement, previous, running, scop.symbols.types)
    if change is None:
        whole = rewrite(_whole(statement), lambda part: running if part == previous else None)
        if _touches(rewrite(whole, lambda part: running if part == target else None), name):
            return None  # it reads more than the element before and what its own held
        types = {**scop.symbols.types, running.name: scop.element_type(name)}
        change = assignment(running, "=", whole, statement.line, types)
    scop.symbols.types[running.name] = scop.element_type(name)
    new: list[Statement] = [change, Assign(target, running, statement.line)]
    place = leaf.statements.index(statement)
    statements = [*leaf.statements[:place], *new, *leaf.statements[place + 1 :]]
    operator = change.operator if isinstance(change, Update) else ""
    value = RunningValue(place=running, operator=operator, type=scop.element_type(name))
    return replace(_scan(replace(leaf, statements=statements), [value], statements, previous, scop), leaf=leaf)


def _as_update(
    statement: Assign | Update, previous: Element, running: Variable, types: Mapping[str, str]
) -> Update | None:
    """The statement as one that combines something with the element before; None where it does more than that."""
    target, taken = statement.target, _without(statement.value, previous, types)
    if taken is None:
        return None
    operator, rest = taken
    if isinstance(statement, Update):
        if statement.operator != operator and rest is not None:
            return None
        operator = statement.operator
        rest = target if rest is None else _combined(operator, target, rest)
    elif operator == "" or rest is None or _touches(rest, place_name(target)):
        return None
    if rest is None or mentions(rest, previous) or operator not in _ASSOCIATIVE:
        return None
    return Update(running, operator, rest, statement.line)


def _whole(statement: Assign | Update) -> Expression:
    return written_out(statement) if isinstance(statement, Update) else statement.value


def _touches(expression: Expression, array: str) -> bool:
    return any(isinstance(part, Element) and part.array == array for part in walk(expression))


def _fresh(name: str, scop: Scop) -> str:
    while name in scop.function.identifiers:
        name += "_"
    return name


def _is_one_before(read: Access, target: Element, leaf: Leaf, loop: Loop) -> bool:
    """Whether a read is at the place that the iteration before wrote."""
    variable = loop.variable
    write = next(a for a in leaf.accesses if a.expression == target and a.kind != READ)
    if read.index is None or write.index is None or not read.certain or read.conditions:
        return False
    shifts = [polynomial.get((variable,), 0) for polynomial in write.index]
    simple = all(atoms == (variable,) or variable not in names_in({atoms: 1}) for p in write.index for atoms in p)
    moved = [
        add(polynomial, constant(shift), -loop.step) for polynomial, shift in zip(write.index, shifts, strict=True)
    ]
    return simple and any(shifts) and read.index == moved


def _without(value: Expression, previous: Element, types: Mapping[str, str]) -> tuple[str, Expression | None] | None:
    """Operator and rest of `previous (operator) rest`; an empty operator where the value is `previous` alone."""
    if value == previous:
        return "", None
    if isinstance(value, Call) and value.function in ("max", "min", "fmax", "fmin") and len(value.arguments) == 2:
        operator = value.function.removeprefix("f")
        left, right = value.arguments
        if previous in (left, right):
            return operator, right if left == previous else left
        return None
    if not isinstance(value, Binary) or value.operator not in ("+", "-", "*"):
        return None
    operator = "*" if value.operator == "*" else "+"
    sides = [(value.left, value.right)] + ([(value.right, value.left)] if value.operator != "-" else [])
    for inner, other in sides:
        taken = _without(inner, previous, types)
        if taken is None or taken[0] not in ("", operator):
            continue
        other = as_term(previous, other, types, alone=taken[1] is None)
        added = Unary("-", other) if value.operator == "-" else other
        return operator, added if taken[1] is None else Binary(operator, taken[1], added)
    return None


def _combined(operator: str, left: Expression, right: Expression) -> Expression:
    return Binary(operator, left, right) if operator in "+*" else Call(operator, (left, right))


# ---- what an iteration adds


def _scan(
    leaf: Leaf, values: Sequence[RunningValue], statements: list[Statement], start: Expression | None, scop: Scop
) -> Scan:
    """The scan with these running values, in stages: those that no unknown running value contributes to are known next."""
    stages: list[Stage] = []
    left = list(values)
    known: list[Variable | Element] = []
    while left:
        stage = _next_stage(leaf, left, known, statements, scop)
        stages.append(stage)
        known += [value.place for value in stage.values]
        left = [value for value in left if value not in stage.values]
    return Scan(leaf=leaf, stages=tuple(stages), statements=tuple(statements), step=1, start=start)


def _next_stage(
    leaf: Leaf,
    left: Sequence[RunningValue],
    known: Sequence[Variable | Element],
    statements: list[Statement],
    scop: Scop,
) -> Stage:
    """What can be found next: all values that are added to, or else one or a few whose turns are maps that can be combined."""
    reasons: list[str] = []
    unknown = [value.place for value in left]
    ready: list[RunningValue] = []
    for value in left:
        try:
            if not value.operator:
                raise NoScan(f"'{place_name(value.place)}' is no running sum, product, minimum or maximum at one place")
            Contribution([value.place, *known], unknown, leaf).of(statements)
            ready.append(value)
        except NoScan as reason:
            reasons.append(str(reason))
    if ready:
        wanted = [*(value.place for value in ready), *known]
        contribution = Contribution(wanted, unknown, leaf).of(statements)
        return Stage(values=tuple(ready), contribution=tuple(contribution))
    for count in range(1, min(len(left), _MOST_TOGETHER) + 1):
        for group in combinations(left, count):
            try:
                found, own = map_of(group, known, unknown, leaf, scop)
            except NoScan:
                continue
            return Stage(values=group, contribution=own, map=found)
    raise NoScan(reasons[0])


# ---- outputs that a loop appends to: each write has a place of its own, which the scan finds


def _is_appended(array: str, counters: Collection[str], leaf: Leaf) -> bool:
    """Whether all that a leaf does to an array is to write the element that a counter names, or one a fixed distance from it, and the
    next statements move the counter on.

    `kept[used++] = x[i]` under a condition is such a write.
    The counter is one of `counters`, nothing but positive constants is added to it, and so no element is written twice.
    """
    own = [access for access in leaf.accesses if access.array == array]
    places = {access.expression for access in own}
    if len(places) != 1 or any(access.kind != WRITE for access in own):
        return False
    (place,) = places
    counter = _counter_in(place.subscripts[0]) if isinstance(place, Element) and len(place.subscripts) == 1 else None
    if not isinstance(place, Element) or not isinstance(counter, Variable | Element) or not _is_fixed(counter):
        return False
    name = place_name(counter)
    if name not in counters or any(a.kind not in (READ, UPDATE) for a in leaf.accesses if a.array == name):
        return False
    return _waits(leaf.statements, place, counter, waits=False) is False


def _counter_in(subscript: Expression) -> Expression:
    """`k` of `k`, `k + 1` or `k - 1`."""
    match subscript:
        case Binary("+" | "-", left, right) if integer(right) is not None:
            return left
    return subscript


def _is_fixed(counter: Variable | Element) -> bool:
    return isinstance(counter, Variable) or all(isinstance(part, Number) for part in counter.subscripts)


def _waits(statements: Sequence[Statement], place: Element, counter: Variable | Element, *, waits: bool) -> bool | None:
    """Whether, behind these statements, a write may wait for a step of the counter; None where two may meet, or a step is none.

    `waits` says whether one does before them.
    """
    for statement in statements:
        if isinstance(statement, Update) and statement.target == counter:
            step = integer(statement.value)
            if statement.operator != "+" or step is None or step <= 0:
                return None
            waits = False
        elif isinstance(statement, Assign) and statement.target == place:
            if waits:
                return None
            waits = True
        elif isinstance(statement, If):
            ways = [_waits(block, place, counter, waits=waits) for block in blocks(statement)]
            if None in ways:
                return None
            waits = any(ways)
    return waits
