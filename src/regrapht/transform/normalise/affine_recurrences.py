"""Affine recurrences of unsigned numbers (`x = a * x + b`, as random numbers and checksums have them), each turn by itself.

Unsigned arithmetic is exact modulo a power of two, so that `k` steps at once are one step of the same kind, found by squaring in `log k`
steps. Where `a` and `b` are the same in every turn, a turn finds its own value of `x` from the first one. Where `b` differs and nothing
reads `x` on the way, `x` is a sum of the `b`, each times a power of `a`.
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
    Unary,
    Variable,
    integer,
    mentions,
    place_name,
    walk,
)
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_integer, is_unsigned, size_bytes
from regrapht.transform.ir.statement_walk import (
    assigned_variables,
    expressions_of,
    names_in,
    rewritten,
    runs_to_its_end,
)
from regrapht.transform.ir.statements import (
    RESULT,
    Allocate,
    Assign,
    Break,
    Continue,
    Declare,
    For,
    Function,
    If,
    Parameter,
    Return,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.normalise.forms import Form, leaves_fewer_alone
from regrapht.transform.normalise.induction_variables import minus, plus, times
from regrapht.transform.normalise.loop_ends import ends_of
from regrapht.transform.plan.analysis import Analysis

_COUNT = "unsigned long long"
Place = Variable | Element
_Steps = tuple[Expression, Expression]
"""Factor and summand."""


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, None]]:
    function = with_jumps(analysis.function)
    if function is not None:
        yield function, None


AFFINE_RECURRENCES = Form(_candidates, lambda before, after, _: leaves_fewer_alone(before, after))


def with_jumps(function: Function) -> Function | None:
    """The function with such recurrences by turns; None where it has none."""
    types = {p.name: p.type for p in function.parameters}
    types |= {name: one.type for name, one in function.fields.items()}
    types |= {s.name: s.type for s in every(function.body) if isinstance(s, Declare | Allocate)}
    types |= {s.variable: s.type for s in every(function.body) if isinstance(s, For)}
    types |= {one.name: one.returns for one in function.helpers if one.returns}
    types |= {one.name: one.type for one in function.constants if one.type}
    if function.returns:
        types[RESULT] = function.returns
    work = _Jumps(types, set(function.identifiers))
    body = work.statements(function.body, frozenset())
    if not work.used:
        return None
    helpers = (*function.helpers, *(_jump(work.jumps[kind], kind) for kind in sorted(work.used)))
    return replace(function, body=body, helpers=helpers, identifiers=frozenset(work.identifiers))


def _jump(name: str, kind: str) -> Function:
    """`state` after so many steps: factor and summand of one, two, four ... steps in turn."""
    parameters = [(word, kind) for word in ("state", "factor", "summand")] + [("steps", _COUNT)]
    state, factor, summand, steps = (Variable(word) for word, _ in parameters)
    body: list[Statement] = [
        While(
            Binary("!=", steps, ZERO),
            [
                If(
                    Binary("!=", Binary("&", steps, ONE), ZERO),
                    [Assign(state, Binary("+", Binary("*", state, factor), summand), 0)],
                    [],
                    0,
                ),
                Assign(summand, Binary("+", Binary("*", factor, summand), summand), 0),
                Assign(factor, Binary("*", factor, factor), 0),
                Assign(steps, Binary(">>", steps, ONE), 0),
            ],
            0,
        ),
        Return(state, 0),
    ]
    declared = tuple(Parameter(name=word, written=word, type=of, is_pointer=False) for word, of in parameters)
    return Function(name=name, returns=kind, parameters=declared, body=body, line=0)


@dataclass(slots=True)
class _Jumps:
    types: dict[str, str]
    identifiers: set[str]
    jumps: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def statements(self, body: Sequence[Statement], read_later: frozenset[str]) -> list[Statement]:
        """The statements with recurrences of their loops by turns, inner loops first."""
        out: list[Statement] = []
        for place, statement in enumerate(body):
            later = read_later | names_in(list(body[place + 1 :]))
            match statement:
                case For():
                    inner = self.statements(statement.body, later | names_in(statement.body))
                    out += self._loop(replace(statement, body=inner), later)
                case While():
                    inner = self.statements(statement.body, later | names_in([statement]))
                    out.append(replace(statement, body=inner))
                case If(condition, then, otherwise, line):
                    parts = [self.statements(part, later) for part in (then, otherwise)]
                    out.append(If(condition, parts[0], parts[1], line))
                case _:
                    out.append(statement)
        return out

    def _loop(self, loop: For, later: frozenset[str]) -> list[Statement]:
        ends = ends_of(loop)
        if loop.step != 1 or ends is None or len(ends) != 1 or not runs_to_its_end(loop):
            return [loop]
        if any(isinstance(one, Return | Break | Continue) for one in loop.body):
            return [loop]
        count = Call(TURNS, (loop.start, ends[0].limit(), ONE))
        turn = minus(Variable(loop.variable), loop.start)
        before: list[Statement] = []
        behind: list[Statement] = []
        for own in _changed(loop.body):
            if self._kind(own) is None or not _is_one_place(loop, own):
                continue
            found = self._by_turns(loop, own, turn) or self._as_sum(loop, own, turn, count)
            if found is None:
                continue
            loop, first, last = found
            before += first
            if last is not None and (isinstance(own, Element) or own.name in later):
                factor, summand, each = last
                behind.append(Assign(own, self._jumped(own, factor, summand, times(each, count)), loop.line))
        return [*before, loop, *behind]

    def _kind(self, own: Place) -> str | None:
        kind = self.types.get(place_name(own), "")
        return kind if is_integer(kind) and is_unsigned(kind) and size_bytes(kind) >= 4 else None

    def _jumped(self, own: Place, factor: Expression, summand: Expression, steps: Expression) -> Expression:
        return self._call(self.types[place_name(own)], own, factor, summand, steps)

    def _call(
        self, kind: str, state: Expression, factor: Expression, summand: Expression, steps: Expression
    ) -> Expression:
        if kind not in self.jumps:
            self.jumps[kind] = fresh_name(f"jumped_{8 * size_bytes(kind)}", self.identifiers)
            self.identifiers.add(self.jumps[kind])
            self.types[self.jumps[kind]] = kind
        self.used.add(kind)
        return Call(self.jumps[kind], (state, factor, summand, Cast(_COUNT, steps)))

    # ---- the same step in every turn

    def _by_turns(
        self, loop: For, own: Place, turn: Expression
    ) -> tuple[For, list[Statement], tuple[Expression, Expression, Expression]] | None:
        """The loop whose turns find their own value; factor, summand, and how many steps a turn makes."""
        steps = self._steps(loop, own)
        if steps is None:
            return None
        factor, summand = next(iter(steps.values()))[:2]
        whole: Expression = ZERO
        for step in steps.values():
            whole = plus(whole, _wide(step[2]))
        kind, now = self.types[place_name(own)], Variable(fresh_name(f"{place_name(own)}_now", self.identifiers))
        self.identifiers.add(now.name)
        self.types[now.name] = kind
        body: list[Statement] = []
        found = False
        for place, statement in enumerate(loop.body):
            makes = steps.get(id(statement))
            if makes is not None and not _mentions(loop.body[place + 1 :], own):
                continue  # the next turn finds its own
            if makes is None and not _mentions([statement], own):
                body.append(statement)
                continue
            if not found:
                done = times(whole, _wide(turn)) if makes is None else plus(times(whole, _wide(turn)), makes[2])
                body.append(Declare(kind, now.name, self._jumped(own, factor, summand, done), loop.line))
            elif makes is not None:
                body.append(Assign(now, self._call(kind, now, factor, summand, makes[2]), loop.line))
            found = True
            if makes is None:
                body += rewritten([statement], lambda part: now if part == own else None)
        return replace(loop, body=body), [], (factor, summand, whole)

    def _steps(self, loop: For, own: Place) -> dict[int, tuple[Expression, Expression, Expression]] | None:
        """Identity of a statement that moves the value -> factor, summand and number of its steps; None where they are not all alike."""
        steps: dict[int, tuple[Expression, Expression, Expression]] = {}
        for statement in loop.body:
            if isinstance(statement, Assign | Update) and statement.target == own:
                step = self._step(statement, own)
                if step is None or not all(self._stays(one, loop) for one in step):
                    return None
                steps[id(statement)] = step
            elif any(isinstance(s, Assign | Update) and s.target == own for s in every([statement])):
                return None
        kinds = {step[:2] for step in steps.values()}
        return steps if len(kinds) == 1 and next(iter(kinds))[0] != ONE else None

    def _step(self, statement: Assign | Update, own: Place) -> tuple[Expression, Expression, Expression] | None:
        """Factor, summand and number of the steps that a statement makes."""
        if isinstance(statement, Assign):
            value = statement.value
            if isinstance(value, Call) and value.function in self.jumps.values() and value.arguments[0] == own:
                _, factor, summand, steps = value.arguments
                return (factor, summand, steps) if not any(mentions(one, own) for one in value.arguments[1:]) else None
        found = self._affine(_value(statement), own)
        return None if found is None else (*found, ONE)

    def _affine(self, value: Expression, own: Place) -> _Steps | None:
        """`value` as factor * own + summand, in the arithmetic of `own`'s type."""
        kind = self.types[place_name(own)]
        while isinstance(value, Cast) and value.type == kind:
            value = value.operand
        match value:
            case Variable() | Element() if value == own:
                return ONE, ZERO
            case Binary("+" | "-" as operator, left, right):
                for one, other, turned in ((left, right, False), (right, left, True)):
                    if mentions(other, own) or not mentions(one, own):
                        continue
                    inner = None if turned and operator == "-" else self._affine(one, own)
                    if inner is None or not self._is_whole(other):
                        return None
                    other = Unary("-", Cast(kind, other)) if operator == "-" else other
                    return inner[0], other if inner[1] == ZERO else plus(Cast(kind, inner[1]), Cast(kind, other))
            case Binary("*", left, right):
                for one, other in ((left, right), (right, left)):
                    if mentions(one, own) and not mentions(other, own) and self._is_whole(other):
                        inner = self._affine(one, own)
                        return (
                            None
                            if inner is None
                            else (self._times(kind, inner[0], other), self._times(kind, inner[1], other))
                        )
        return None

    def _times(self, kind: str, left: Expression, right: Expression) -> Expression:
        """A product in a type whose overflow is defined."""
        if left in (ZERO, ONE):
            return ZERO if left == ZERO else right
        return Binary("*", Cast(kind, left), Cast(kind, right))

    def _is_whole(self, value: Expression) -> bool:
        try:
            return is_integer(type_of(value, self.types))
        except CannotTransform:
            return False

    def _stays(self, value: Expression, loop: For) -> bool:
        """Whether an expression has one value in all turns."""
        inside = {s.name for s in every(loop.body) if isinstance(s, Declare)} | {loop.variable}
        inside |= assigned_variables(loop.body)
        inside |= {s.variable for s in every(loop.body) if isinstance(s, For)}
        calls = {part.function for part in walk(value) if isinstance(part, Call)} - {TURNS}
        names = {part.name for part in walk(value) if isinstance(part, Variable)}
        return not calls and not names & inside and not any(isinstance(part, Element) for part in walk(value))

    # ---- another summand in every turn

    def _as_sum(
        self, loop: For, own: Place, turn: Expression, count: Expression
    ) -> tuple[For, list[Statement], None] | None:
        """The loop that adds what each turn leaves of it at the end."""
        kind = self.types[place_name(own)]
        touching = [one for one in loop.body if _mentions([one], own)]
        if len(touching) != 1 or not isinstance(touching[0], Assign | Update) or touching[0].target != own:
            return None
        statement = touching[0]
        found = self._affine(_value(statement), own)
        if found is None or found[0] == ONE or not self._stays(found[0], loop):
            return None
        factor, summand = found
        left = minus(minus(count, ONE), turn)
        power = self._call(kind, Cast(kind, ONE), factor, ZERO, left)
        added = Update(own, "+", Binary("*", Cast(kind, summand), power), statement.line)
        body = [added if one is statement else one for one in loop.body]
        first = Assign(own, self._jumped(own, factor, ZERO, count), loop.line)
        return replace(loop, body=body), [first], None


def _value(statement: Assign | Update) -> Expression:
    if isinstance(statement, Assign):
        return statement.value
    if statement.operator in ("+", "*"):
        return Binary(statement.operator, statement.target, statement.value)
    return Call(statement.operator, (statement.target, statement.value))


def _changed(statements: list[Statement]) -> list[Place]:
    """What these statements themselves change, in their order."""
    return list(dict.fromkeys(one.target for one in statements if isinstance(one, Assign | Update)))


def _mentions(statements: list[Statement], own: Place) -> bool:
    return any(mentions(whole, own) for whole in expressions_of(statements))


def _is_one_place(loop: For, own: Place) -> bool:
    """Whether every turn means the same by a place, and by nothing else."""
    if isinstance(own, Variable):
        return not any(isinstance(s, Declare) and s.name == own.name for s in every(loop.body))
    parts = (part for whole in expressions_of(loop.body) for part in walk(whole))
    others = any(isinstance(part, Element) and part.array == own.array and part != own for part in parts)
    return not others and all(integer(one) is not None for one in own.subscripts)


def _wide(steps: Expression) -> Expression:
    return steps if steps == ONE else Cast(_COUNT, steps)
