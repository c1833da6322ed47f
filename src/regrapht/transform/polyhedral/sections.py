"""Buffers that every turn of a loop writes before it reads them, whatever their length is: each turn could have one of its own.

The statements of a turn are followed in their order, with the sections of the buffer that are surely written at each place. A section comes
from an assignment, or from a loop over neighbouring elements; it goes when a variable that bounds it changes. isl answers whether a read
lies inside of the sections.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from regrapht.source.polynomial import words
from regrapht.transform.ir.expressions import Binary, Element, Expression, Variable, walk
from regrapht.transform.ir.scalar_types import is_integer, size_bytes
from regrapht.transform.ir.statement_walk import assigned_variables, ends_early, expressions_of
from regrapht.transform.ir.statements import Assign, Declare, For, If, Statement, Update, While, every
from regrapht.transform.polyhedral.affine import Affine, Symbols
from regrapht.transform.polyhedral.isl_library import isl

_ANY = "any__"


def written_first(buffer: str, length: Expression, loop: For, symbols: Symbols) -> bool:
    """Whether each read of a buffer in a turn of `loop` is of an element that the turn has written. A place that data choose is inside the
    buffer.

    Not found: sections that two loops write together, and what only one branch of a condition writes.
    """
    integers = {name for name, kind in symbols.types.items() if is_integer(kind) and size_bytes(kind) >= 4}
    own = replace(symbols, definitions={}, products=dict(symbols.products))  # a local's value may have changed
    turn = _Turn(buffer, length, Affine(own, tuple(sorted(integers - symbols.parameters))))
    turn.follow(loop.body, _Known())
    return not turn.missed


@dataclass(frozen=True, slots=True)
class _Section:
    """The elements from `low` on below `end`, in isl's text."""

    low: str
    end: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What holds at a place: sections that are written, and conditions over variables."""

    sections: tuple[_Section, ...] = ()
    conditions: tuple[str, ...] = ()

    def without(self, names: Iterable[str]) -> "_Known":
        """The same when variables of these names have changed."""
        gone = set(names)
        return _Known(
            tuple(one for one in self.sections if not gone & (set(words(one.low)) | set(words(one.end)))),
            tuple(text for text in self.conditions if not gone & set(words(text))),
        )

    def under(self, *conditions: str | None) -> "_Known":
        return replace(self, conditions=(*self.conditions, *(text for text in conditions if text is not None)))

    def with_section(self, section: _Section | None) -> "_Known":
        return self if section is None else replace(self, sections=(*self.sections, section))


@dataclass(slots=True)
class _Turn:
    buffer: str
    length: Expression
    affine: Affine
    missed: bool = False

    def follow(self, statements: list[Statement], known: _Known) -> _Known:
        """What holds after the statements; `missed` is set where one reads what is not known to be written."""
        for statement in statements:
            if self.missed:
                break
            known = self._after(statement, known)
        return known

    def _after(self, statement: Statement, known: _Known) -> _Known:
        match statement:
            case If(condition, then, otherwise):
                self._read([condition], known)
                for block, wanted in ((then, True), (otherwise, False)):
                    self.follow(block, known.under(self.affine.condition(condition, wanted=wanted)))
                return known.without(_changed([statement]))
            case While(body=body):
                inside = known.without(_changed(body))
                self._read(expressions_of([replace(statement, body=[])]), inside)
                self.follow(body, inside)
                return inside
            case For():
                return self._after_loop(statement, known)
            case Assign(target, _) | Update(target, _, _):
                reads = list(expressions_of([statement]))[isinstance(statement, Assign) :]
                self._read([*reads, *(target.subscripts if isinstance(target, Element) else ())], known)
                if isinstance(target, Variable):
                    return known.without({target.name})
                return known.with_section(self._one(target)) if target.array == self.buffer else known
            case _:
                self._read(expressions_of([statement]), known)
                return known.without(_changed([statement]))

    def _after_loop(self, loop: For, known: _Known) -> _Known:
        changed = _changed(loop.body)
        self._read([loop.start], known)
        after = known.without({*changed, loop.variable})
        inside = after
        if loop.variable not in changed and loop.step is not None:
            start = self.affine.affine(loop.start)
            first = None if start is None else f"{loop.variable} {'>=' if loop.step > 0 else '<='} {start}"
            bounds = _Known().under(first, self.affine.condition(loop.condition, trusted=True))
            inside = inside.under(*bounds.without(changed).conditions)
        filled, whole = self._filled(loop, changed)
        inside = inside.with_section(filled)  # what earlier turns of it wrote
        self._read([loop.condition, loop.advance.value], inside)
        self.follow(loop.body, inside)
        return after.with_section(whole)

    def _filled(self, loop: For, changed: set[str]) -> tuple[_Section | None, _Section | None]:
        """The sections that a loop over neighbouring elements has written at the start of a turn, and in the end."""
        if loop.step != 1 or loop.variable in changed or ends_early(loop.body):
            return None, None
        start, variable = self.affine.affine(loop.start), loop.variable
        bound = self._bound(loop)
        for statement in loop.body:
            if not isinstance(statement, Assign) or not isinstance(statement.target, Element):
                continue
            place = self.affine.polynomial(statement.target.subscripts[0])
            if statement.target.array != self.buffer or place is None or place.get((variable,)) != 1:
                continue
            offset = self.affine.text({atoms: value for atoms, value in place.items() if atoms != (variable,)})
            used = {word for text in (start, bound, offset) if text is not None for word in words(text)}
            if start is None or bound is None or offset is None or used & {*changed, variable}:
                continue
            low = f"{start} + {offset}"
            return _Section(low, f"{variable} + {offset}"), _Section(low, f"{bound} + {offset}")
        return None, None

    def _bound(self, loop: For) -> str | None:
        """What the loop's variable stays below, where a single comparison says so."""
        match loop.condition:
            case Binary("<" | "<=" as operator, Variable(name=name), end) if name == loop.variable:
                text = self.affine.affine(end)
                return text if text is None or operator == "<" else f"{text} + 1"
        return None

    def _one(self, target: Element) -> _Section | None:
        text = self.affine.affine(target.subscripts[0])
        return None if text is None else _Section(text, f"{text} + 1")

    def _read(self, expressions: Iterable[Expression], known: _Known) -> None:
        for whole in expressions:
            for part in walk(whole):
                if isinstance(part, Element) and part.array == self.buffer and not self._covers(known, part):
                    self.missed = True

    def _covers(self, known: _Known, element: Element) -> bool:
        place = self.affine.affine(element.subscripts[0]) or _ANY
        length = self.affine.affine(self.length)
        known = known.under(f"{place} >= 0", None if length is None else f"{place} < {length}")  # as any access is
        outside = [f"({place} < {one.low} or {place} >= {one.end})" for one in known.sections]
        symbols = self.affine.symbols
        names = ", ".join(sorted({*symbols.parameters, *symbols.products, *self.affine.iterators, _ANY}))
        signs = [f"{name} >= 0" for name in sorted(symbols.nonnegative)]
        text = " and ".join([*known.conditions, *signs, *outside]) or "true"
        return bool(isl().Set(f"[{names}] -> {{ : {text} }}").is_empty())


def _changed(statements: list[Statement]) -> set[str]:
    """Variables that statements set, declare or count with."""
    found = assigned_variables(statements)
    for statement in every(statements):
        if isinstance(statement, Declare):
            found.add(statement.name)
        if isinstance(statement, For):
            found.add(statement.variable)
    return found
