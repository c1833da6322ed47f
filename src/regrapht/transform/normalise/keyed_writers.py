"""Loops whose turns write elements that data choose, where several turns write one: who writes it is found first, and then it is written.

Three kinds, by what decides which turn an element keeps the value of:

* *the last*: `last[k] = price[i]`; what turns mark by one constant is of this kind too,
* *the first*: `if (first[k] < 0) first[k] = i`, where what is written ends the test for all later turns,
* *the best*: `if (d < depth[k]) { depth[k] = d; color[k] = c; }`, the first of the best ones, with `<=` the last of them.

In each a loop *claims* elements: an array beside them keeps the largest or least number of a turn that writes there, by atomics. Then a
loop over the elements runs the turn that each was claimed by once more, for this element alone. What turns do besides stays in a loop of
its own, with "was this turn the one?" in the place of the test. No value is assumed: claims follow the source's order.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Cast,
    Element,
    Expression,
    Number,
    Variable,
    integer,
    mentions,
    number,
    place_name,
    walk,
)
from regrapht.transform.ir.idioms import MIRRORED, all_of
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.ir.statement_walk import (
    arrays_in,
    arrays_read,
    expressions_of,
    names_in,
    renamed,
    rewritten,
    run_once,
    runs_to_its_end,
    values_of,
    with_blocks,
    with_statement,
    without_empty,
    without_locals,
)
from regrapht.transform.ir.statements import (
    Allocate,
    Assign,
    Declare,
    For,
    Function,
    If,
    Statement,
    Update,
    every,
)
from regrapht.transform.normalise.forms import Form
from regrapht.transform.normalise.written_once import is_never_again
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.lengths import length_of
from regrapht.transform.plan.nest import Kind
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.polyhedral.loop_tree import WRITE, Key, loop_key

_NEVER = {"int": Number("INT_MAX", 2**31 - 1), "long long": Number("LLONG_MAX", 2**63 - 1)}
_BEFORE_ALL = number(-1)
_BETTER = {"<": ("min", ">"), "<=": ("min", ">"), ">": ("max", "<"), ">=": ("max", "<")}
"""How a new value is held against the old one, and the update that keeps the better, with the test that tells for a NaN."""


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, Key]]:
    if not analysis.task.contract.may_allocate:
        return
    for nest in analysis.nests:
        if nest.kind is not Kind.SERIAL:
            continue
        loops = [
            one
            for one in every(analysis.function.body)
            if isinstance(one, For) and loop_key(one) == loop_key(nest.root)
        ]
        if len(loops) != 1 or not _counts(loops[0]):
            continue
        chosen = {a.array for a in nest.accesses if a.kind == WRITE and a.index is None}
        made = _Turns.of(loops[0], analysis).claimed(chosen)
        if made is not None:
            first, body = made
            body = [*first, *with_statement(analysis.function.body, loops[0], body)]
            yield replace(analysis.function, body=body), loop_key(loops[0])


def _accept(before: Analysis, after: Analysis, key: Key) -> bool:
    """Whether nothing that the loop became runs in one thread, but for what a scan gives threads to."""
    had = {loop_key(nest.root) for nest in before.nests if nest.kind is Kind.SERIAL} - {key}
    left = [nest for nest in after.nests if nest.kind is Kind.SERIAL and loop_key(nest.root) not in had]
    return all(loop_key(nest.root) == key and not isinstance(scan_of(nest, after.scop), str) for nest in left)


KEYED_WRITERS = Form(_candidates, _accept)


def _counts(loop: For) -> bool:
    """Whether it counts up by one from a number that is not negative, and nothing else moves its variable or ends it."""
    start = integer(loop.start)
    plain = loop.step == 1 and not (loop.launched or loop.known or loop.unrolled)
    return plain and start is not None and start >= 0 and runs_to_its_end(loop)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Who writes an element: its `names` are arrays that are written together, at one subscript."""

    names: tuple[str, ...]
    by: str
    """The array of claims."""
    operator: str
    """What keeps the right one of two turns that claim an element."""
    none: Expression
    """The claim of an element that no turn writes."""
    test: If | None = None
    """Where the first or the best turn is meant: the statement that decides."""


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A claim with its arrays and its loops, the last of which writes the elements."""

    claim: _Claim
    arrays: list[Statement]
    loops: list[For]


@dataclass(frozen=True, slots=True)
class _Turns:
    """The turns of a loop: what is theirs alone, and what they change."""

    loop: For
    analysis: Analysis
    own: frozenset[str]
    changed: frozenset[str]
    taken: set[str]

    @classmethod
    def of(cls, loop: For, analysis: Analysis) -> "_Turns":
        inside = list(every(loop.body))
        own = {one.name for one in inside if isinstance(one, Declare)}
        own |= {one.variable for one in inside if isinstance(one, For)}
        changed = {place_name(one.target) for one in inside if isinstance(one, Assign | Update)} - own
        function = analysis.function
        taken = {*function.identifiers, *names_in(function.body), *arrays_in(function.body)}
        return cls(loop, analysis, frozenset(own), frozenset(changed), taken)

    def fresh(self, name: str) -> str:
        made = fresh_name(name, self.taken)
        self.taken.add(made)
        return made

    @property
    def number_type(self) -> str:
        return "int" if self.loop.type == "int" else "long long"

    @property
    def number(self) -> Expression:
        turn = Variable(self.loop.variable)
        return turn if self.loop.type in ("int", "long long") else Cast("long long", turn)

    # ---- what is claimed

    def claimed(self, chosen: set[str]) -> tuple[list[Statement], list[Statement]] | None:
        """The arrays of claims, and what the loop becomes; None where it stays."""
        tested, left = self._tested(chosen - self.own)
        found = [self._first(one) or self._best(one) for one in tested] + [self._last(one) for one in sorted(left)]
        done = [one for one in found if one is not None]
        if not done or len(done) < len(found):
            return None
        rest = self._rest([one.claim for one in done])
        if not self._are_apart(done, rest):
            return None
        loops = [loop for one in done for loop in one.loops]
        return [array for one in done for array in one.arrays], [*loops, *([rest] if rest is not None else [])]

    def _tested(self, chosen: set[str]) -> tuple[list[If], set[str]]:
        """The statements that test an element before they write it, and the chosen arrays that none of them writes."""
        tests = [
            one
            for one in run_once(self.loop.body)
            if isinstance(one, If) and any(_is_write(s, chosen & arrays_of(one.condition)) for s in one.then)
        ]
        return tests, chosen - {name for one in tests for name in _written_in(one.then)}

    def _parts(self, test: If) -> tuple[Assign, list[Expression], list[Expression]] | None:
        """The write that ends the test, the parts of the test that read its element, and the others; None where there is no such write."""
        writes = [s for s in test.then if isinstance(s, Assign) and s.target in _elements(test.condition)]
        if len(writes) != 1 or not isinstance(writes[0].target, Element) or len(writes[0].target.subscripts) != 1:
            return None
        element = writes[0].target
        parts = all_of(test.condition)
        own = [part for part in parts if mentions(part, element)]
        if sum(part == element for whole in expressions_of(self.loop.body) for part in walk(whole)) != len(own) + 1:
            return None
        others = [part for part in parts if part not in own]
        reads = [part for whole in expressions_of(self.loop.body) for part in walk(whole) if isinstance(part, Element)]
        return None if any(e.array == element.array and e != element for e in reads) else (writes[0], own, others)

    def _together(self, test: If, element: Element) -> tuple[str, ...] | None:
        """The arrays that the turn that is meant writes there, and that nothing else touches."""
        names = [place_name(s.target) for s in test.then if isinstance(s, Assign) and _at(s.target, element)]
        others = [name for name in names if name != element.array]
        reads = bool(arrays_read(self.loop.body) & set(others))
        set_again = {
            name for s in every(test.then) if isinstance(s, Assign | Update) for name in [place_name(s.target)]
        }
        moved = set_again & {part.name for part in walk(element) if isinstance(part, Variable)}
        plain = all(self._writes_plainly(name, test) for name in names)
        return None if reads or moved or not plain or len(set(names)) != len(names) else tuple(names)

    def _last(self, array: str) -> _Claimed | None:
        if array in arrays_read(self.loop.body) or not self._writes_plainly(array, None):
            return None
        claim = _Claim((array,), self.fresh(f"{array}_last"), "max", _BEFORE_ALL)
        claims = self._loop_of(lambda one: [self._claim(claim, one)] if _is_write(one, claim.names) else [])
        written = self._written(claim)
        if claims is None or written is None:
            return None
        return _Claimed(claim, self._array(claim), [self._filled(claim), claims, written])

    def _first(self, test: If) -> _Claimed | None:
        found = self._parts(test)
        if found is None:
            return None
        write, own, _ = found
        assert isinstance(write.target, Element)
        names = self._together(test, write.target)
        type_of_element = self.analysis.scop.element_type(write.target.array)
        if names is None or not any(is_never_again(part, write, type_of_element, self.loop) for part in own):
            return None
        never = _NEVER[self.number_type]
        claim = _Claim(names, self.fresh(f"{write.target.array}_first"), "min", never, test)
        claims = self._loop_of(lambda one: [self._claim(claim, one)] if one is write else [])
        written = self._written(claim)
        if claims is None or written is None:
            return None
        return _Claimed(claim, self._array(claim), [self._filled(claim), claims, written])

    def _best(self, test: If) -> _Claimed | None:
        found = self._parts(test)
        if found is None or len(found[1]) != 1:
            return None
        write, (own,), _ = found
        assert isinstance(write.target, Element)
        names = self._together(test, write.target)
        order = _order(own, write)
        extra = [s for s in every(test.then) if not (isinstance(s, Assign) and names and place_name(s.target) in names)]
        if names is None or order is None or test.otherwise or any(not isinstance(s, Declare) for s in extra):
            return None
        array, place = write.target.array, write.target.subscripts
        kind = self.analysis.scop.element_type(array)
        if self._type(write.value) != kind:
            return None
        operator, keeps = _BETTER[order]
        is_first = len(order) == 1
        best = self.fresh(f"{array}_best")
        none = _NEVER[self.number_type] if is_first else _BEFORE_ALL
        claim = _Claim(names, self.fresh(f"{array}_writer"), "min" if is_first else "max", none, test)
        length = self._length(array)
        if length is None:
            return None
        keep = Update(Element(best, place), operator, write.value, write.line, keeps if is_float(kind) else "")
        looks = self._loop_of(lambda one: [keep] if one is write else [])
        is_best = Binary("==", write.value, Element(best, place))
        claims = self._loop_of(
            lambda one: [If(is_best, [self._claim(claim, one)], [], one.line)] if one is write else []
        )
        written = self._written(claim)
        if looks is None or claims is None or written is None:
            return None
        copied = self._each(array, lambda cell: [Assign(Element(best, (cell,)), Element(array, (cell,)), write.line)])
        before = [Allocate(kind, best, length, self.loop.line), *self._array(claim)]
        return _Claimed(claim, before, [copied, looks, self._filled(claim), claims, written])

    def _type(self, value: Expression) -> str | None:
        own = {one.name: one.type for one in every(self.loop.body) if isinstance(one, Declare)}
        try:
            return type_of(value, {**self.analysis.scop.symbols.types, **own})
        except CannotTransform:
            return None

    def _writes_plainly(self, array: str, test: If | None) -> bool:
        """Whether all that changes an array are assignments to one subscript, outside of loops inside; of a test, once in its own list."""
        writes = [s for s in every(self.loop.body) if isinstance(s, Assign | Update) and place_name(s.target) == array]
        flat = list(run_once(self.loop.body))
        plain = all(
            isinstance(s, Assign)
            and isinstance(s.target, Element)
            and len(s.target.subscripts) == 1
            and any(s is f for f in flat)
            for s in writes
        )
        if test is None:
            return plain
        return plain and len(writes) == 1 and any(writes[0] is s for s in test.then)

    # ---- the loops

    def _length(self, array: str) -> Expression | None:
        buffers = self.analysis.scop.buffers
        if array in buffers:
            return buffers[array].length
        return length_of(array, self.analysis.task, self.analysis.function)

    def _array(self, claim: _Claim) -> list[Statement]:
        length = self._length(claim.names[0])
        return [] if length is None else [Allocate(self.number_type, claim.by, length, self.loop.line)]

    def _filled(self, claim: _Claim) -> For:
        line = self.loop.line
        return self._each(claim.names[0], lambda cell: [Assign(Element(claim.by, (cell,)), claim.none, line)])

    def _each(self, array: str, body: Callable[[Variable], list[Statement]]) -> For:
        """A loop over all elements of an array."""
        cell, length, line = Variable(self.fresh("cell")), self._length(array), self.loop.line
        assert length is not None
        step = Update(cell, "+", ONE, line)
        return For(cell.name, "long long", ZERO, Binary("<", cell, length), 1, step, body(cell), line)

    def _claim(self, claim: _Claim, write: Statement) -> Statement:
        assert isinstance(write, Assign) and isinstance(write.target, Element)
        return Update(Element(claim.by, write.target.subscripts), claim.operator, self.number, write.line)

    def _loop_of(self, change: Callable[[Statement], list[Statement]]) -> For | None:
        """The loop with other changes of what is not the turns' own; None where nothing is left of it."""
        body = self._with_own_names(self._only(self.loop.body, change))
        return replace(self.loop, body=body) if body else None

    def _written(self, claim: _Claim) -> For | None:
        """The loop over elements, in which the turn that each was claimed by writes it."""
        if self._length(claim.names[0]) is None or any(
            self._length(name) != self._length(claim.names[0]) for name in claim.names
        ):
            return None
        line = self.loop.line
        many = sum(_is_write(one, claim.names) for one in every(self.loop.body)) > len(claim.names)

        def body(cell: Variable) -> list[Statement]:
            def written(one: Statement) -> list[Statement]:
                if not _is_write(one, claim.names):
                    return []
                assert isinstance(one, Assign) and isinstance(one.target, Element)
                here = Assign(Element(one.target.array, (cell,)), one.value, one.line)
                place = Cast("long long", one.target.subscripts[0])
                return [If(Binary("==", place, cell), [here], [], one.line)] if many else [here]

            turn = self.fresh(self.loop.variable)
            inside = renamed(self._only(self._taken(claim), written), {self.loop.variable: turn})
            value = Element(claim.by, (cell,))
            own = Declare(
                self.loop.type, turn, value if self.number_type == self.loop.type else Cast(self.loop.type, value), line
            )
            return [If(Binary("!=", value, claim.none), [own, *self._with_own_names(inside)], [], line)]

        return self._each(claim.names[0], body)

    def _taken(self, claim: _Claim) -> list[Statement]:
        """The loop's body where the test of a claim has held."""
        if claim.test is None:
            return self.loop.body
        test = claim.test
        parts = [part for part in all_of(test.condition) if not arrays_of(part) & set(claim.names)]
        inside: list[Statement] = [replace(test, condition=_all(parts), otherwise=[])] if parts else list(test.then)
        return with_statement(self.loop.body, test, inside)

    def _rest(self, done: Sequence[_Claim]) -> For | None:
        """What turns do besides, the test of a claim answered by who claimed; None where that is nothing."""
        names = {name for claim in done for name in claim.names}
        body = self.loop.body
        for claim in done:
            if claim.test is not None:
                body = self._answered(body, claim)
        left = self._only(body, lambda one: [] if _is_write(one, names) else [one])
        return replace(self.loop, body=left) if any(self._is_outside(one) for one in every(left)) else None

    def _answered(self, body: list[Statement], claim: _Claim) -> list[Statement]:
        assert claim.test is not None
        (write,) = [s for s in claim.test.then if isinstance(s, Assign) and s.target in _elements(claim.test.condition)]
        assert isinstance(write.target, Element)
        parts: list[Expression] = []
        for part in all_of(claim.test.condition):
            answer = Binary("==", Element(claim.by, write.target.subscripts), self.number)
            wanted = answer if mentions(part, write.target) else part
            if wanted not in parts:
                parts.append(wanted)
        return with_statement(body, claim.test, [replace(claim.test, condition=_all(parts))])

    def _are_apart(self, done: Sequence[_Claimed], rest: For | None) -> bool:
        """Whether what the loops read is not changed by the turns, but for the elements that a claim is about, before they are written."""
        claimed = {name for one in done for name in one.claim.names}
        for one in done:
            for loop in one.loops:
                own = set(one.claim.names) if loop is not one.loops[-1] else set()
                if (arrays_read(loop.body) | names_in(loop.body)) & (self.changed - own):
                    return False
        return rest is None or not arrays_read(rest.body) & claimed

    # ---- parts of bodies

    def _is_outside(self, one: Statement) -> bool:
        return isinstance(one, Assign | Update) and place_name(one.target) not in self.own

    def _only(self, body: Sequence[Statement], change: Callable[[Statement], list[Statement]]) -> list[Statement]:
        """A body with other changes of what is not the turns' own, and without what is then of no use."""
        kept = self._changed(body, change)
        while True:
            used = {p.name for w in values_of(kept) for p in walk(w) if isinstance(p, Variable)}
            used |= arrays_read(kept)
            idle = {one.name for one in every(kept) if isinstance(one, Declare)} - used
            slim = without_empty(without_locals(kept, idle)) if idle else without_empty(kept)
            if slim == kept:
                return kept
            kept = slim

    def _changed(self, body: Sequence[Statement], change: Callable[[Statement], list[Statement]]) -> list[Statement]:
        out: list[Statement] = []
        for one in body:
            if self._is_outside(one):
                out += change(one)
            else:
                out.append(with_blocks(one, lambda block: self._changed(block, change)))
        return out

    def _with_own_names(self, body: list[Statement]) -> list[Statement]:
        names = [one.name for one in every(body) if isinstance(one, Declare)]
        names += [one.variable for one in every(body) if isinstance(one, For)]
        scalars = renamed(body, fresh := {name: self.fresh(name) for name in names})
        return rewritten(
            scalars, lambda p: replace(p, array=fresh[p.array]) if isinstance(p, Element) and p.array in fresh else None
        )


def _all(parts: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: Binary("&&", left, right), parts)


def _order(test: Expression, write: Assign) -> str | None:
    """`<` where the test is that the value which is written is less than what is there, and so on."""
    if not isinstance(test, Binary) or test.operator not in _BETTER:
        return None
    if (test.left, test.right) == (write.value, write.target):
        return test.operator
    return MIRRORED[test.operator] if (test.left, test.right) == (write.target, write.value) else None


def _is_write(one: Statement, names: "set[str] | Sequence[str]") -> bool:
    return isinstance(one, Assign) and isinstance(one.target, Element) and one.target.array in names


def _written_in(body: list[Statement]) -> set[str]:
    return {one.target.array for one in every(body) if isinstance(one, Assign) and isinstance(one.target, Element)}


def _at(target: Expression, element: Element) -> bool:
    return isinstance(target, Element) and target.subscripts == element.subscripts


def _elements(whole: Expression) -> list[Element]:
    return [part for part in walk(whole) if isinstance(part, Element)]


def arrays_of(whole: Expression) -> set[str]:
    """The arrays of which an expression has elements."""
    return {part.array for part in _elements(whole)}
