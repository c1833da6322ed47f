"""A leaf that all threads of a block run: they share some of its loops, and one of them alone writes memory."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from regrapht.transform.codegen import arithmetic
from regrapht.transform.codegen.printer import Printer, UpdateHook
from regrapht.transform.codegen.row_loops import RowLoop, starts_at_constant, values_of
from regrapht.transform.ir.expression_types import type_of
from regrapht.transform.ir.expressions import (
    Binary,
    Cast,
    Element,
    Expression,
    Number,
    Variable,
    integer,
    place_name,
    rewrite,
    walk,
)
from regrapht.transform.ir.statements import Assign, Break, Continue, Declare, For, Statement, Update, blocks, every

THREAD = Variable("threadIdx.x")


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """How the threads' parts of one place become its value: lines before the loop, after it, and for the place itself."""

    place: Expression
    type: str
    part: str
    before: str
    together: str
    last: str
    in_memory: bool
    """Whether one thread must do it for all."""


def update_of_parts(combinations: Sequence[Combination]) -> UpdateHook:
    """The hook that sends updates of the places to this thread's parts."""
    by_place = {one.place: one for one in combinations}

    def update(statement: Update, printer: Printer) -> str | None:
        one = by_place.get(statement.target)
        if one is None:
            return None
        return arithmetic.update(one.part, statement.operator, printer.expression(statement.value), one.type)

    return update


@dataclass(slots=True)
class SharedLoops:
    """Prints the statements of one leaf."""

    statements: Sequence[Statement]
    loops: Sequence[RowLoop]
    threads: int
    memory: Container[str]
    """What other threads see."""
    outside: Container[str]
    """Locals that other leaves use."""
    combination: Callable[[Expression, str, Sequence[Update], Printer], Combination]
    name: Callable[[str], str]
    """Makes names that nothing else has."""
    contested: set[str] = field(init=False)
    """What one thread writes and others read."""

    def __post_init__(self) -> None:
        written = {place_name(one.target) for one in every(list(self.statements)) if isinstance(one, Assign | Update)}
        self.contested = written & set(self._read_by_all(self.statements))

    def lines(self, statements: list[Statement], printer: Printer) -> list[str]:
        """The code of statements that all threads come to together."""
        lines: list[str] = []
        for alone, group in groupby(statements, key=self._is_for_one_thread):
            found = list(group)
            if alone:
                written = {place_name(one.target) for one in every(found) if isinstance(one, Assign | Update)}
                lines += self._by_one_thread(replace(printer, block=None).statements(found), written)
                continue
            for statement in found:
                shared = next((one for one in self.loops if one.loop is statement), None)
                lines += printer.statement(statement) if shared is None else self._shared(shared, printer)
        return lines

    def _by_one_thread(self, code: list[str], written: set[str]) -> list[str]:
        barrier = ["__syncthreads();"] if written & self.contested else []
        return [*barrier, "if (threadIdx.x == 0) {", *code, "}", *barrier]

    def _is_for_one_thread(self, statement: Statement) -> bool:
        """Whether a statement writes memory, and does nothing that the other threads would miss."""
        inside = list(every([statement]))
        declared = {one.name for one in inside if isinstance(one, Declare)}
        changed = {place_name(one.target) for one in inside if isinstance(one, Assign | Update)}
        if any(isinstance(one, Break | Continue) or self._is_shared(one) for one in inside):
            return False
        missed = [name for name in declared | changed if name in self.outside or name not in declared]
        stored = [name for name in changed if name in self.memory]
        return bool(stored) and all(name in self.memory for name in missed)

    def _is_shared(self, statement: Statement) -> bool:
        return any(one.loop is statement for one in self.loops)

    def _read_by_all(self, statements: Sequence[Statement]) -> Iterator[str]:
        """What is read by statements that are not for one thread, those in memory among them."""
        for statement in statements:
            if self._is_for_one_thread(statement):
                continue
            inner = () if self._is_shared(statement) else blocks(statement)
            own = [statement] if self._is_shared(statement) else [_without_blocks(statement)]
            for part in [part for whole in values_of(own) for part in walk(whole)]:
                if isinstance(part, Variable | Element) and place_name(part) in self.memory:
                    yield place_name(part)
            for block in inner:
                yield from self._read_by_all(block)

    def _shared(self, shared: RowLoop, printer: Printer) -> list[str]:
        """A loop of which each thread takes every turn of a certain number."""
        loop, plain = shared.loop, replace(printer, block=None)
        updates = [one for one in every(loop.body) if isinstance(one, Update)]
        found = [self.combination(place, loop.variable, updates, plain) for place in shared.targets]
        inner = replace(plain, update=update_of_parts(found))
        after: list[str] = []
        for one in found:
            after.append(one.together)
            after += self._by_one_thread([one.last], {place_name(one.place)}) if one.in_memory else [one.last]
        return [*(one.before for one in found), *self._strided(loop, inner), *after]

    def _strided(self, loop: For, printer: Printer) -> list[str]:
        assert loop.step is not None
        advance = f"{loop.variable} += {loop.step * self.threads}"
        own: Expression = THREAD if loop.step == 1 else Binary("*", THREAD, Number(str(loop.step), loop.step))
        if starts_at_constant(loop):
            first = own if integer(loop.start) == 0 else Binary("+", loop.start, own)
            return printer.loop(loop, printer.expression(first), advance)
        # Where there is no turn at all, a first value near the end of its type's range must not be added to.
        name = self.name(f"{loop.variable}_first")
        types = {**printer.scop.symbols.types, **printer.types}
        start = loop.start if type_of(loop.start, types) == loop.type else Cast(loop.type, loop.start)
        condition = rewrite(loop.condition, lambda part: Variable(name) if part == Variable(loop.variable) else None)
        return [
            f"const {loop.type} {name} = {printer.expression(start)};",
            f"if ({printer.expression(condition)}) {{",
            *printer.loop(loop, printer.expression(Binary("+", Variable(name), own)), advance),
            "}",
        ]


def _without_blocks(statement: Statement) -> Statement:
    empty: dict[str, list[Statement]] = {name: [] for name in ("then", "otherwise", "body") if hasattr(statement, name)}
    return replace(statement, **empty)  # type: ignore[arg-type]
