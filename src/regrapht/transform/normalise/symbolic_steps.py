"""Loops whose step is known only at run time (symbolic steps), in the forms that analysis knows.

`for (i = lo; i < n; i += s)` is counted by its turns: `i` is `lo + s * turn`, and the launcher finds how many turns there are. A subscript
is then a polynomial with the stride `s`, and taken apart like any other. `for (half = 1; half < n; half *= 2)` stays as it is and runs in
the launcher, so that `half` is a parameter of what is inside: butterflies `base += 2 * half` count by turns there.

A loop that enters a turn with a step of 0 or less would not end, or run over: where there is a turn, the step is 1 or more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import TURNS, type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Cast,
    Element,
    Expression,
    Number,
    Variable,
    integer,
    mentions,
    walk,
)
from regrapht.transform.ir.idioms import all_of
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import (
    assigned_variables,
    leaves_own_loop,
    mentions_variable,
    rewritten,
    runs_to_its_end,
)
from regrapht.transform.ir.statements import (
    Assign,
    Continue,
    Declare,
    For,
    Function,
    If,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.normalise.forms import Form
from regrapht.transform.normalise.induction_variables import plus, times
from regrapht.transform.normalise.loop_ends import End, difference, ends_of
from regrapht.transform.plan.analysis import Analysis, sizes_of
from regrapht.transform.plan.nest import Nest

_WIDE = "long long"


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, str]]:
    return with_symbolic_steps(analysis.function, sizes_of(analysis.task))


def _accept(before: Analysis, after: Analysis, variable: str) -> bool:
    """Whether the loop, or what is inside of it, has threads, and no other loop lost its own."""
    kept = _with_threads(before) <= _with_threads(after)
    return kept and any(_has_threads_by(nest, variable) for nest in after.nests)


def _with_threads(analysis: Analysis) -> set[tuple[int, str]]:
    return {(nest.line, variable) for nest in analysis.nests for variable in nest.parallel}


def _has_threads_by(nest: Nest, variable: str) -> bool:
    """Whether a nest has threads for the turns of a loop, or in each turn of it."""
    return nest.is_worth_launching and variable in (*nest.host_loops, *nest.parallel, *nest.reduced)


SYMBOLIC_STEPS = Form(_candidates, _accept)


def with_symbolic_steps(function: Function, sizes: Sequence[str]) -> Iterator[tuple[Function, str]]:
    """For each loop with such a step that is no text yet: the function with that loop, and those inside of a launched one, in a form that
    analysis knows, and the variable that it has then. Outer loops come first; first as they are, then with loops around in the launcher.

    `sizes` are parameters that are never negative.
    """
    if TURNS in function.identifiers:
        return
    body = _with_heads(function.body)
    for loop in [one for one in every(body) if isinstance(one, For) and one.step is None and not one.launched]:
        tried: list[Statement] = []
        for around in (False, True):
            work = _Rewriting(function, loop, set(sizes), assigned_variables(body), launches_around=around)
            changed = work.launcher(body, frozenset(p.name for p in function.parameters if not p.is_pointer))
            if work.made and changed != tried:
                tried = changed
                yield replace(function, body=changed, identifiers=frozenset(work.names)), work.made


def _with_heads(statements: list[Statement]) -> list[Statement]:
    """`int d = 1; while (d < n) { ...; d *= 2; }` as a `for` loop, where nothing else uses `d`."""
    out: list[Statement] = []
    for place, one in enumerate(statements):
        if isinstance(one, If):
            one = replace(one, then=_with_heads(one.then), otherwise=_with_heads(one.otherwise))
        elif isinstance(one, For | While):
            one = replace(one, body=_with_heads(one.body))
        head = _head(one, statements[:place], statements[place + 1 :]) if isinstance(one, While) else None
        if head is not None:
            out = [before for before in out if not (isinstance(before, Declare) and before.name == head.variable)]
        out.append(one if head is None else head)
    return out


def _head(loop: While, before: Sequence[Statement], behind: Sequence[Statement]) -> For | None:
    last = loop.body[-1] if loop.body else None
    if not isinstance(last, Assign | Update) or not isinstance(last.target, Variable):
        return None
    name, body = last.target.name, loop.body[:-1]
    declared = [one for one in before if isinstance(one, Declare) and one.name == name]
    others = [one for one in before if one not in declared]
    if (
        len(declared) != 1
        or declared[0].value is None
        or declared[0].lengths
        or _uses([*others, *behind], name)
        or name in assigned_variables(body)
        or leaves_own_loop(body, Continue)
        or assigned_variables(others[before.index(declared[0]) :]) & {p.name for p in _variables(declared[0].value)}
        or any(isinstance(part, Element | Call) for part in walk(declared[0].value))
    ):
        return None
    return For(name, declared[0].type, declared[0].value, loop.condition, None, last, body, loop.line)


def _uses(statements: list[Statement], name: str) -> bool:
    """Whether statements mention a variable, in what moves their loops as well."""
    moves = [one.advance for one in every(statements) if isinstance(one, For)]
    return mentions_variable([*statements, *moves], name)


@dataclass(slots=True)
class _Rewriting:
    """Brings one loop of a function, and those inside of it, to a form that analysis knows."""

    function: Function
    wanted: For
    nonnegative: set[str]
    changing: set[str]
    launches_around: bool
    """Whether the loops around it go to the launcher too, and have no threads of their own then."""
    made: str = ""
    names: set[str] = field(default_factory=set)
    types: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = set(self.function.identifiers)
        self.types = {p.name: p.type for p in self.function.parameters}
        self.types |= {c.name: c.type for c in self.function.constants if c.type}
        for one in every(self.function.body):
            if isinstance(one, Declare):
                self.types[one.name] = one.type
            elif isinstance(one, For):
                self.types[one.variable] = one.type

    # ---- what the launcher runs

    def launcher(self, statements: list[Statement], known: frozenset[str], *, inside: bool = False) -> list[Statement]:
        """Statements that the launcher goes through; `known` are the scalars that it has there. `inside` of the wanted loop, all loops are
        changed."""
        out: list[Statement] = []
        for one in statements:
            if isinstance(one, Declare) and self._is_known(one, known):
                known |= {one.name}
                if self._is_nonnegative(one.value):
                    self.nonnegative.add(one.name)
            chosen = inside or one is self.wanted
            around = self.launches_around and isinstance(one, For) and any(x is self.wanted for x in every(one.body))
            if isinstance(one, For) and (
                one.launched or ((chosen or around) and self._can_be_launched(one, known, chosen))
            ):
                out.append(self._launched(one, known, inside=chosen))
                continue
            counts: list[Statement] = []
            changed = self._inside(one, known, counts, chosen=inside)
            out += [*counts, changed]
        return out

    def _is_known(self, local: Declare, known: frozenset[str]) -> bool:
        value = local.value
        plain = value is not None and not local.lengths and local.name not in self.changing and is_integer(local.type)
        return plain and value is not None and self._fixed(value, known)

    def _fixed(self, value: Expression, known: frozenset[str]) -> bool:
        """Whether a value follows from scalars in `known` alone."""
        parts = list(walk(value))
        names = {part.name for part in parts if isinstance(part, Variable)}
        calls = [part for part in parts if isinstance(part, Call) and part.function not in ("min", "max")]
        return names <= known and not calls and not any(isinstance(part, Element) for part in parts)

    def _can_be_launched(self, loop: For, known: frozenset[str], chosen: bool) -> bool:
        """Whether the launcher has all that it needs to run a loop; one with a constant step only around the loop that is wanted."""
        within = known | {loop.variable}
        adds = (
            isinstance(loop.advance, Update) and loop.advance.operator == "+" and self._fixed(loop.advance.value, known)
        )
        return (
            (loop.step is None or not chosen)
            and not (adds and loop.step is None)
            and not loop.left_by_flag
            and runs_to_its_end(loop)
            and self._fixed(loop.start, known)
            and all(self._fixed(one, within) for one in (loop.condition, loop.advance.value))
            and is_integer(loop.type)
            and size_bytes(loop.type) >= 4
        )

    def _launched(self, loop: For, known: frozenset[str], *, inside: bool) -> For:
        """A loop that the launcher runs, under a variable of its own."""
        if not loop.launched:
            loop = self._with_own_name(loop)
            loop = replace(loop, launched=True, known=self._moves(loop))
            if loop.variable not in self.nonnegative and _is_at_least(loop, 0):
                self.nonnegative.add(loop.variable)
            if inside:
                self.made = self.made or loop.variable
        return replace(loop, body=self.launcher(loop.body, known | {loop.variable}, inside=inside))

    def _with_own_name(self, loop: For) -> For:
        """The loop with a variable that nothing else in the function is called."""
        others = [one for one in every(self.function.body) if isinstance(one, For) and one.variable == loop.variable]
        if len(others) < 2:
            return loop
        name = self.fresh(loop.variable, loop.type)
        old, new = Variable(loop.variable), Variable(name)
        (renamed,) = rewritten([loop], lambda part: new if part == old else None)
        assert isinstance(renamed, For)
        return replace(renamed, variable=name)

    def _moves(self, loop: For) -> tuple[Expression, ...]:
        """What a turn of a loop that counts, or doubles or halves its variable, knows of it, besides the condition."""
        own, start = Variable(loop.variable), loop.start
        if loop.step is not None:
            at_least_zero = (Binary(">=", own, ZERO),) if loop.step > 0 and self._is_nonnegative(start) else ()
            return (Binary(">=" if loop.step > 0 else "<=", own, start), *at_least_zero)
        match loop.advance:
            case Update(operator="*", value=by) if (integer(by) or 0) >= 2 and self._is_nonnegative(start):
                return (Binary(">=", own, start), Binary(">=", own, ZERO))
            case Update(operator="+", value=by) if by == own and self._is_nonnegative(start):
                return (Binary(">=", own, start), Binary(">=", own, ZERO))
            case Assign(value=Binary("*" | "<<", left, by)) if left == own and self._is_nonnegative(start):
                least = 2 if loop.advance.value.operator == "*" else 0  # type: ignore[union-attr]
                return (
                    (Binary(">=", own, start), Binary(">=", own, ZERO)) if (integer(by) or 0) >= max(least, 1) else ()
                )
            case Assign(value=Binary("/" | ">>", left, by)) if left == own and (integer(by) or 0) >= 1:
                if self._is_nonnegative(start):
                    rest = own if loop.condition == own else None
                    is_set = rest is not None or loop.condition == Binary("!=", own, ZERO)
                    return (Binary("<=", own, start), Binary(">=", own, ONE if is_set else ZERO))
                return (Binary("<=", own, start),) if _is_at_least(loop, 0) else ()
        return ()

    # ---- what may become threads

    def _inside(self, one: Statement, known: frozenset[str], counts: list[Statement], *, chosen: bool) -> Statement:
        """A statement with such loops counted by their turns; what the launcher must know for that goes to `counts`."""
        if isinstance(one, If):
            parts = [
                [self._inside(part, known, counts, chosen=chosen) for part in block]
                for block in (one.then, one.otherwise)
            ]
            return replace(one, then=parts[0], otherwise=parts[1])
        if not isinstance(one, For):
            return one
        below = chosen or one is self.wanted
        if one.step is not None and one.step > 0 and self._is_nonnegative(one.start):
            self.nonnegative.add(one.variable)
        one = replace(one, body=[self._inside(part, known, counts, chosen=chosen) for part in one.body])
        counted = self._counted(one, known, counts) if below and one.step is None else None
        return one if counted is None else counted

    def _counted(self, loop: For, known: frozenset[str], counts: list[Statement]) -> For | None:
        """A loop by its turns; None where it does not add what the launcher knows, or its end is not known."""
        advance = loop.advance
        if not isinstance(advance, Update) or advance.operator != "+" or not runs_to_its_end(loop):
            return None
        step, start = advance.value, loop.start
        ends = ends_of(loop)
        if ends is None or not self._fixed(step, known) or not self._keeps_its_values(loop, step, ends):
            return None
        ends = sorted(ends, key=lambda end: not self._fixed(end.bound, known))
        end = ends[0]
        if not self._fixed(end.bound, known) or any(isinstance(part, Element | Call) for part in walk(start)):
            return None
        is_known = self._fixed(start, known)
        if not is_known and not self._is_nonnegative(start):
            return None
        if {part.name for part in _variables(start)} & self.changing or any(
            map(_may_trap, (start, end.bound, end.added, step))
        ):
            return None
        type_name = loop.type if self._is_nonnegative(start) else _WIDE
        count, turn = self.fresh(f"{loop.variable}_turns", type_name), self.fresh(f"{loop.variable}_turn", type_name)
        first = start if is_known else ZERO
        found = Call(TURNS, (Cast(_WIDE, first), end.limit(_WIDE), Cast(_WIDE, step)))
        counts.append(Declare(type_name, count, found if type_name == _WIDE else Cast(type_name, found), loop.line))
        self.made = self.made or turn
        self.nonnegative.add(turn)
        value = plus(start, times(step, Variable(turn)))
        value = value if type_name == loop.type else Cast(loop.type, value)
        guards = [one.condition for one in (ends[1:] if is_known else ends)]
        body = _under(guards, loop.body, loop.line)
        old = Variable(loop.variable)
        body = rewritten(body, lambda part: value if part == old else None)
        body = [self._from_zero(one, Variable(turn)) for one in body]
        return For(
            turn,
            type_name,
            ZERO,
            Binary("<", Variable(turn), Variable(count)),
            1,
            Update(Variable(turn), "+", ONE, loop.line),
            body,
            loop.line,
            known=(Binary(">=", step, ONE),),
        )

    def _keeps_its_values(self, loop: For, step: Expression, ends: list[End]) -> bool:
        """Whether the variable, as the source counts it, is the sum of its start and so many steps: nothing is cut or wraps."""
        try:
            of_step = type_of(step, self.types)
            of_ends = [type_of(part, self.types) for end in ends for part in (end.bound, end.added)]
        except CannotTransform:
            return False
        if not is_integer(loop.type) or size_bytes(loop.type) < 4 or not all(map(is_integer, (of_step, *of_ends))):
            return False
        if size_bytes(of_step) > size_bytes(loop.type):
            return False
        if is_unsigned(loop.type) or is_unsigned(of_step):
            return self._is_nonnegative(step) and self._is_nonnegative(loop.start)
        as_unsigned = any(is_unsigned(one) and size_bytes(one) >= size_bytes(loop.type) for one in of_ends)
        return not as_unsigned or self._is_nonnegative(loop.start)

    def _from_zero(self, one: Statement, turn: Variable) -> Statement:
        """A statement with loops that start at a place of this turn counted from 0: `for (k = s * t; k < s * t + s; ++k)`."""
        if isinstance(one, If):
            return replace(
                one,
                then=[self._from_zero(part, turn) for part in one.then],
                otherwise=[self._from_zero(part, turn) for part in one.otherwise],
            )
        if not isinstance(one, For):
            return one
        one = replace(one, body=[self._from_zero(part, turn) for part in one.body])
        ends = ends_of(one) if one.step == 1 and runs_to_its_end(one) and mentions(one.start, turn) else None
        if ends is None or {part.name for part in _variables(one.start)} & self.changing:
            return one
        lengths = [difference(end.limit(), one.start) for end in ends]
        bounds = [(end, length) for end, length in zip(ends, lengths, strict=True) if not mentions(length, turn)]
        if not bounds or not self._counts_alike(one, *bounds[0]):
            return one
        kept, length = bounds[0]
        name = self.fresh(f"{one.variable}_offset", one.type)
        old, value = Variable(one.variable), plus(one.start, Variable(name))
        guarded = _under([end.condition for end in ends if end is not kept], one.body, one.line)
        return replace(
            one,
            variable=name,
            start=ZERO,
            condition=Binary("<", Variable(name), length),
            advance=Update(Variable(name), "+", ONE, one.line),
            body=rewritten(guarded, lambda part: value if part == old else None),
        )

    def _counts_alike(self, loop: For, end: End, length: Expression) -> bool:
        """Whether a loop makes so many turns whatever the types of its variable and its bound are."""
        try:
            types = [type_of(part, self.types) for part in (Variable(loop.variable), loop.start, end.bound, end.added)]
        except CannotTransform:
            return False
        if not all(map(is_integer, types)) or size_bytes(loop.type) < 4:
            return False
        return not any(map(is_unsigned, types)) or (self._is_nonnegative(loop.start) and self._is_nonnegative(length))

    def fresh(self, name: str, type_name: str) -> str:
        chosen, number = name, 2
        while chosen in self.names:
            chosen, number = f"{name}_{number}", number + 1
        self.names.add(chosen)
        self.types[chosen] = type_name
        return chosen

    def _is_nonnegative(self, value: Expression | None) -> bool:
        """Whether that is plain from signs alone."""
        match value:
            case Number(value=int(number)):
                return number >= 0
            case Variable(name=name):
                return name in self.nonnegative
            case Cast(type=to, operand=operand):
                return is_integer(to) and size_bytes(to) >= 4 and self._is_nonnegative(operand)
            case Binary("+" | "*", left, right):
                return self._is_nonnegative(left) and self._is_nonnegative(right)
            case Binary("/" | ">>" | "<<" | "%", left, right):
                return self._is_nonnegative(left) and (integer(right) or 0) > 0
            case Call("min" | "max", arguments):
                return all(map(self._is_nonnegative, arguments))
        return False


def _is_at_least(loop: For, least: int) -> bool:
    """Whether a loop's own condition, or what is known of it, keeps its variable at `least` or more."""
    for part in [*all_of(loop.condition), *loop.known]:
        match part:
            case Binary(">" | ">=" as operator, Variable(name=name), bound) if name == loop.variable:
                number = integer(bound)
                if number is not None and number + (operator == ">") >= least:
                    return True
    return False


def _under(guards: Sequence[Expression], body: list[Statement], line: int) -> list[Statement]:
    for guard in guards:
        body = [If(guard, body, [], line)]
    return body


def _may_trap(expression: Expression) -> bool:
    """Whether an expression may divide by zero: the launcher computes it even where the source does not come to it."""
    parts = [part for part in walk(expression) if isinstance(part, Binary) and part.operator in ("/", "%")]
    return any(not integer(part.right) for part in parts)


def _variables(expression: Expression) -> list[Variable]:
    return [part for part in walk(expression) if isinstance(part, Variable)]
