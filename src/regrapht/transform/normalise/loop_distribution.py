"""Loop distribution: independent loops once for each part of their body, so that the parts may have more threads than the whole.

`for i { for j c[i][j] = 0; for l for j c[i][j] += a[i][l] * b[l][j]; }` has one thread a row, because nothing but `i` is around both parts.
With a loop over `i` for each of them there is one an element. Turns of a loop that do not depend on each other may run in any order, so
that all turns of one part may be over when the next part begins; within a turn the order stays. What parts hand to each other in memory is
there by then. What they would hand over in a local is not: such parts stay together, unless the local can be had anywhere in the turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from regrapht.transform.ir.expressions import Call, Element, Expression, Variable, walk
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.statement_walk import (
    arrays_in,
    assigned_variables,
    ends_early,
    names_in,
    renamed,
    with_statement,
)
from regrapht.transform.ir.statements import Allocate, Assign, Declare, For, Function, If, Statement, Update, every
from regrapht.transform.normalise.forms import Search, in_forms
from regrapht.transform.normalise.guard_sinking import GUARD_SINKING
from regrapht.transform.normalise.scalar_sinking import SCALAR_SINKING, can_move
from regrapht.transform.plan.analysis import Analysis, reanalysed
from regrapht.transform.plan.costs import nests_take_less_time, parts_take_less_time
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.polyhedral.loop_tree import Key, loop_key

MUCH = 4
"""So many times less a loop's parts take at one of the timed sizes: less than that may be lost in memory, where parts read again what
others wrote, and the rules for rows, which share out a whole turn among threads, no longer find it."""


def _better(analysis: Analysis) -> Analysis | None:
    """The analysis with a nest's independent loops once for each part of their body, where that takes much less time at the timed sizes.

    None where there is no such nest.
    """
    if not analysis.task.bench_sizes:
        return None
    for nest in analysis.nests:
        cut = _Cut.of(analysis, nest) if nest.kind is Kind.MAP else None
        found = None if cut is None else _in_parts(cut)
        if found is not None:
            return found
    return None


LOOP_DISTRIBUTION = Search(_better)


def _in_parts(cut: "_Cut") -> Analysis | None:
    """The analysis with parts of their own for what has more threads then; None where that does not take much less time."""
    present = _Trial.of(cut, cut.body.finest, frozenset())
    present = None if present is None else present.with_locals_inside()
    if present is None:
        return None
    groups: list[range] = []
    gained = True
    for group, gains in zip(present.groups, present.gains(), strict=True):
        # What gains nothing is better off in one kernel, and so is all of it if nothing does.
        together = bool(groups) and not gains and not gained
        groups[-1:] = [range(groups[-1].start, group.stop)] if together else [*groups[-1:], group]
        gained = gains
    if len(groups) < 2 or not any(present.gains()):
        return None
    if groups != present.groups:
        present = _Trial.of(cut, groups, present.sunk)
    while present is not None and (fewer := present.with_fewer_parts()) is not None:
        present = fewer
    return present.analysis if present is not None and present.takes_much_less_time() else None


@dataclass(frozen=True, slots=True)
class _Trial:
    """A function with loops distributed over some parts of their body, analysed."""

    cut: "_Cut"
    groups: list[range]
    sunk: frozenset[range]
    """Those whose locals are set inside of the loops."""
    analysis: Analysis
    parts: list[Nest]
    """A nest for each of the groups."""

    @classmethod
    def of(cls, cut: "_Cut", groups: Sequence[range], sunk: frozenset[range]) -> "_Trial | None":
        """None where it cannot be analysed, or a part becomes anything but one nest."""
        before = cut.analysis.nests
        again = reanalysed(cut.analysis, cut.function(groups, sunk))
        again = None if again is None else in_forms(again, [SCALAR_SINKING, GUARD_SINKING, SCALAR_SINKING])
        if again is None or len(again.nests) != len(before) + len(groups) - 1:
            return None
        first = before.index(cut.nest)
        parts = again.nests[first : first + len(groups)]
        others = [*again.nests[:first], *again.nests[first + len(groups) :]]
        was = [one for one in before if one is not cut.nest]
        as_before = [(*_place(one), one.kind) for one in others] == [(*_place(one), one.kind) for one in was]
        place = loop_key(cut.loops[0]), (*cut.nest.host_loops, *cut.launched)
        of_the_loop = all(_place(one) == place for one in parts)
        return cls(cut, list(groups), sunk, again, parts) if as_before and of_the_loop else None

    def gains(self) -> list[bool]:
        """Which parts have threads for more loops than those that are around all of them."""
        around = {loop.variable for loop in self.cut.loops}
        return [bool({*part.threaded} - around) for part in self.parts]

    def takes_much_less_time(self) -> bool:
        return parts_take_less_time(self.parts, self.analysis, self.cut.nest.parallel, self.cut.launched, once=MUCH)

    def with_locals_inside(self) -> "_Trial":
        """With locals set inside of the loops of parts that gain nothing otherwise, where they gain by it."""
        body = self.cut.body
        without = [group for group, gains in zip(self.groups, self.gains(), strict=True) if not gains]
        sunk = frozenset(group for group in without if body.part(group, sunk=True) != body.part(group))
        trial = _Trial.of(self.cut, self.groups, sunk) if sunk else None
        return trial if trial is not None and sum(trial.gains()) > sum(self.gains()) else self

    def with_fewer_parts(self) -> "_Trial | None":
        """With two neighbours together, where that takes less time; None where it does not, or nothing would be cut."""
        for place in range(len(self.groups) - 1 if len(self.groups) > 2 else 0):
            one, other = self.groups[place : place + 2]
            fewer = [*self.groups[:place], range(one.start, other.stop), *self.groups[place + 2 :]]
            trial = _Trial.of(self.cut, fewer, self.sunk)
            if trial is not None and nests_take_less_time(trial.parts, trial.analysis, self.parts, self.analysis):
                return trial
        return None


def _place(nest: Nest) -> tuple[Key, tuple[str, ...]]:
    return loop_key(nest.root), nest.host_loops


# ---- where a body may be cut


@dataclass(frozen=True, slots=True)
class _Cut:
    """Independent loops, each of which holds nothing but the next, around a body that can be cut."""

    analysis: Analysis
    nest: Nest
    launched: tuple[str, ...]
    """Loops around these, of the nest, that the launcher has to run once the body is cut."""
    loops: list[For]
    body: "_Body"

    @classmethod
    def of(cls, analysis: Analysis, nest: Nest) -> "_Cut | None":
        """The cut of a nest's body; None where nothing can be cut, or no part would be a loop."""
        function = analysis.function
        same = [one for one in analysis.nests if loop_key(one.root) == loop_key(nest.root)]
        found = [one for one in every(function.body) if isinstance(one, For) and loop_key(one) == loop_key(nest.root)]
        perfect = list(_perfect(found[same.index(nest)], nest)) if len(same) == len(found) else []
        ordered = [place for place, loop in enumerate(perfect) if loop.variable not in nest.parallel]
        inner = ordered[-1] + 1 if ordered else 0
        launched, loops = tuple(loop.variable for loop in perfect[:inner]), perfect[inner:]
        if not loops:
            return None
        facts = _Facts.of(function, loops)
        if not all(facts.may_repeat_header(loop) for loop in loops) or facts.leaves(loops[-1].body):
            return None
        body = _Body.of(loops[-1].body, facts)
        return cls(analysis, nest, launched, loops, body) if len(body.finest) > 1 and body.has_loop else None

    def function(self, groups: Sequence[range], sunk: frozenset[range]) -> Function:
        """The function with the loops once for each group of the body's units."""
        function, used = self.analysis.function, set[str]()
        parts: list[Statement] = []
        for group in groups:
            body = self.body.part(group, sunk=group in sunk)
            names: dict[str, str] = {}
            for local in [
                one for one in every(body) if isinstance(one, Declare) and not one.lengths and one.name in used
            ]:
                names[local.name] = fresh_name(local.name, function.identifiers)
                function = replace(function, identifiers=function.identifiers | {names[local.name]})
            body = renamed(body, names) if names else body
            used |= {one.name for one in every(body) if isinstance(one, Declare)}
            for loop in reversed(self.loops):
                body = [replace(loop, body=body)]
            parts += body
        return replace(function, body=with_statement(function.body, self.loops[0], parts))


def _perfect(root: For, nest: Nest) -> Iterator[For]:
    """The nest's loops from the root on, as far as each holds nothing but the next one."""
    yield root
    inner = root.body[0] if len(root.body) == 1 else None
    for known in nest.chain[1:]:
        if not isinstance(inner, For) or loop_key(inner) != loop_key(known):
            return
        yield inner
        inner = inner.body[0] if len(inner.body) == 1 else None


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of the names in the loops' body."""

    changing: set[str]
    """Scalars that it sets, besides where they are declared, and arrays that it writes or declares."""
    helpers: set[str]
    inside: list[Statement]

    @classmethod
    def of(cls, function: Function, loops: Sequence[For]) -> "_Facts":
        inside = loops[-1].body
        changing = assigned_variables(inside)
        for one in every(inside):
            if isinstance(one, Assign | Update) and isinstance(one.target, Element):
                changing.add(one.target.array)
            if isinstance(one, Allocate) or (isinstance(one, Declare) and one.lengths):
                changing.add(one.name)
        return cls(changing, {helper.name for helper in function.helpers}, inside)

    def leaves(self, body: list[Statement]) -> bool:
        """Whether a turn may end early, or sets a scalar that outlives it."""
        own = {one.name for one in every(self.inside) if isinstance(one, Declare)}
        return ends_early(body) or not assigned_variables(body) <= own

    def may_repeat_header(self, loop: For) -> bool:
        if loop.step is None or loop.left_by_flag or loop.launched or loop.variable in self.changing:
            return False
        parts = [loop.start, loop.condition, loop.advance.value, *loop.known]
        return all(self.may_repeat(part, set()) for part in parts)

    def may_repeat(self, expression: Expression, fixed: set[str]) -> bool:
        """Whether an expression has the same value anywhere in a turn, and is cheap; it must not use the names in `fixed`."""
        for part in walk(expression):
            match part:
                case Variable(name=name) | Element(array=name):
                    if name in self.changing or name in fixed:
                        return False
                case Call(function=name):
                    if name in self.helpers:
                        return False
        return True


@dataclass(frozen=True, slots=True)
class _Body:
    """The statements of a loop in units that stay together, and what may be repeated in front of each."""

    repeated: list[Declare]
    units: list[list[Statement]]
    guard: If | None = None
    """All that is inside of this condition; the units and what may be repeated are `inner`'s then."""
    inner: "_Body | None" = None

    @classmethod
    def of(cls, statements: Sequence[Statement], facts: _Facts) -> "_Body":
        repeated: list[Declare] = []
        rest: list[Statement] = []
        fixed: set[str] = set()
        for one in statements:
            match one:
                case Declare(value=value, lengths=(), values=None, name=name) if value is not None:
                    if name not in facts.changing and facts.may_repeat(value, fixed):
                        repeated.append(one)
                        continue
            if isinstance(one, Declare | Allocate):
                fixed.add(one.name)
            rest.append(one)
        match rest:
            case [If(condition=condition, then=then, otherwise=[]) as guard] if facts.may_repeat(condition, fixed):
                return cls(repeated, [], guard, cls.of(then, facts))
        return cls(repeated, _units(rest))

    @property
    def finest(self) -> list[range]:
        """Each unit on its own."""
        units = self.units if self.inner is None else self.inner.finest
        return [range(k, k + 1) for k in range(len(units))]

    @property
    def has_loop(self) -> bool:
        if self.inner is not None:
            return self.inner.has_loop
        return any(isinstance(one, For) for unit in self.units for one in every(unit))

    def part(self, group: range, *, sunk: bool = False) -> list[Statement]:
        """Some units that follow each other, with what they need of that which is repeated, inside of their loops if `sunk`."""
        if self.inner is not None:
            assert self.guard is not None
            body: list[Statement] = [replace(self.guard, then=self.inner.part(group, sunk=sunk))]
        else:
            body = [one for k in group for one in self.units[k]]
        for local in reversed(self.repeated):
            if local.name in names_in(body):
                body = [local, *body]
        return _sunk(body) if sunk else body


def _sunk(body: list[Statement]) -> list[Statement]:
    """Scalars in front of a loop that is all else, set inside of it, and so on: loops around nothing but the next one show more."""
    last = body[-1] if body else None
    changing = assigned_variables(body)
    if not isinstance(last, For) or not all(can_move(one, last, changing) for one in body[:-1]):
        return body
    return [replace(last, body=_sunk([*body[:-1], *last.body]))]


def _units(statements: list[Statement]) -> list[list[Statement]]:
    """The statements cut wherever no local is handed on; those around which no loop is to gain threads stay together."""
    units: list[list[Statement]] = []
    for one in statements:
        units.append([one])
        used = names_in(units[-1]) | arrays_in(units[-1])
        home = next((k for k, unit in enumerate(units[:-1]) if _declared(unit) & used), len(units) - 1)
        if home == len(units) - 1 and home > 0 and not _has_loop(units[-1]) and not _has_loop(units[-2]):
            home -= 1
        units[home:] = [[part for unit in units[home:] for part in unit]]
    return units


def _declared(unit: list[Statement]) -> set[str]:
    return {one.name for one in every(unit) if isinstance(one, Declare | Allocate)}


def _has_loop(unit: list[Statement]) -> bool:
    return any(isinstance(one, For) for one in every(unit))
