"""Whether the turns of a loop may run side by side, why, and what has to become of the variables that they share."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod

from regrapht.errors import CannotTransform
from regrapht.records.task import ArgKind, Task
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.appends import Append, find_append
from regrapht.transform.verbatim.counting import Counted, counted, nested
from regrapht.transform.verbatim.extremes import Extreme, find_extremes, last_value
from regrapht.transform.verbatim.held_objects import points_elsewhere
from regrapht.transform.verbatim.instrument import Instrumented, update_target
from regrapht.transform.verbatim.lent_objects import is_lent
from regrapht.transform.verbatim.liveness import is_inside, is_named_elsewhere, is_read_elsewhere, uses_elsewhere
from regrapht.transform.verbatim.moves import even_moves
from regrapht.transform.verbatim.observations import UNNAMED, Meeting, Met, Observations, Seen
from regrapht.transform.verbatim.promises import promise
from regrapht.transform.verbatim.proofs import is_proved
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, leaves, walk
from regrapht.transform.verbatim.snapshots import reads_of_before
from regrapht.transform.verbatim.stamps import are_stamps

_HOLDING = re.compile(
    r"\b(vector|deque|list|map|set|multimap|multiset|unordered_\w+|unique_ptr|shared_ptr|string)\b|\bnew\b|alloc\("
)
DEPENDENT = "the loop's turns depend on each other: "
_SHORT = 64


class Label(StrEnum):
    """How it is known that turns are independent."""

    PROVED = "proved"
    OBSERVED = "observed"
    PROMISED = "promised"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """A loop, or a perfect nest taken as one, whose turns may run side by side."""

    nest: list[Counted]
    label: Label
    seen: Seen | None
    moves: dict[str, str]
    """Outer names that each turn moves by the same amount, with that."""
    private: dict[str, SyntaxNode] = field(default_factory=dict)
    """Names that each turn declares for itself, with the declarator."""
    copied: dict[str, SyntaxNode] = field(default_factory=dict)
    """Local arrays and objects of which each turn has a copy as they are before the loop, with the declarator."""
    atomics: list[SyntaxNode] = field(default_factory=list)
    """Statements that update what other turns update too."""
    sums: dict[str, SyntaxNode] = field(default_factory=dict)
    """Locals and arrays that turns only add to -> where they are declared: a copy for each thread, added up in order."""
    extremes: list[Extreme] = field(default_factory=list)
    """Outer variables of which turns keep the least, the largest or the last value: a copy for each thread, the best of which is picked."""
    append: Append | None = None
    snapshots: dict[str, list[SyntaxNode]] = field(default_factory=dict)
    """Arrays of which a copy from before the loop is read -> where."""

    @property
    def loop(self) -> SyntaxNode:
        return self.nest[0].loop

    @property
    def body(self) -> SyntaxNode:
        return self.nest[-1].body

    @property
    def is_short(self) -> bool:
        """Whether it has so few turns, whatever the sizes, that one thread makes them sooner than a kernel starts."""
        counts = [int(one.count) if one.count.isdecimal() else _SHORT + 1 for one in self.nest]
        return prod(counts) <= _SHORT and not any(node.type in LOOPS for node in walk(self.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Independence:
    """Answers for the loops of one file.

    Args:
        observations: None where nothing was run: then promises alone count.
    """

    scopes: Scopes
    task: Task
    marks: Instrumented
    observations: Observations | None

    def turns(self, loop: SyntaxNode) -> Turns:
        """The loop as one whose turns may run side by side, with those inside of it where the nest is perfect.

        Raises:
            CannotTransform: They may not; says the line and what stands in the way.
        """
        nest = nested(self.scopes, counted(self.scopes, loop))
        end = leaves(nest[0].body)
        if end is not None:
            raise self._no(loop, f"a turn may end it at line {self.scopes.line(end)}")
        first: CannotTransform | None = None
        for depth in dict.fromkeys((len(nest), 1)):
            try:
                return self._of(nest[:depth])
            except CannotTransform as error:
                first = first or error
        assert first is not None
        raise first

    def _no(self, loop: SyntaxNode, why: str, name: str = "") -> CannotTransform:
        """A refusal; says where the loop changes `name`."""
        line = self._changing_line(loop, name) if name else None
        where = f" at line {line}" if line is not None else ""
        return CannotTransform(f"{DEPENDENT}{why}{where}", line=self.scopes.line(loop))

    def _changing_line(self, loop: SyntaxNode, name: str) -> int | None:
        """The first line in a loop that assigns to a variable or to an element or field of it."""
        for node in walk(loop):
            target = node.child_by_field_name("left") if node.type == "assignment_expression" else None
            target = node.child_by_field_name("argument") if node.type == "update_expression" else target
            if target is not None and re.match(rf"\W*{re.escape(name)}\b", self.scopes.text(target)):
                return self.scopes.line(node)
        return None

    def _of(self, nest: list[Counted]) -> Turns:
        loop, body = nest[0].loop, nest[-1].body
        moves = even_moves(self.scopes, nest)
        promised = promise(self.scopes, loop)
        seen = self._seen(nest)
        if is_proved(self.scopes, self.task, nest):
            return Turns(nest=nest, label=Label.PROVED, seen=seen, moves={})
        if seen is None and promised is None:
            raise self._no(
                loop,
                "nothing was observed of it"
                if self.observations is None
                else "it never had two turns in an observed run",
            )
        extremes = find_extremes(self.scopes, nest)
        kept = {name for one in extremes for name in one.names}
        append = find_append(self.scopes, nest, moves.keys() | kept)
        made = Turns(
            nest=nest,
            label=Label.PROMISED if promised is not None else Label.OBSERVED,
            seen=seen,
            moves=moves,
            extremes=extremes,
            append=append,
        )
        counters = append.owners if append is not None else set[str]()
        counters = counters | {name for one in nest for name in one.ends} | kept
        for name in promised.private if promised is not None else ():
            made.private[name] = self._declarator(loop, name)
        for name in promised.sums if promised is not None else ():
            self._declarator(loop, name)
            made.sums[name] = self.scopes.visible(loop).get(name) or self.scopes.variables[name]
        for name in promised.extremes if promised is not None else ():
            if name not in kept:
                raise self._no(loop, f"how turns keep the extreme '{name}' is not understood")
        for owner in dict.fromkeys(m.owner for m in seen.meetings) if seen is not None else ():
            sort, _, name = owner.partition(" ")
            settled = moves.keys() | counters | made.private.keys() | made.sums.keys() | made.copied.keys()
            if sort != "other" and name in settled | {name for one in made.extremes for name in one.names}:
                continue
            self._settle(made, owner, [m for m in seen.meetings if m.owner == owner] if seen is not None else [])
        left = self.scopes.assigned(body) - moves.keys() - made.private.keys() - made.sums.keys() - counters
        left -= {name for one in nest for name in one.variables} | {n for one in made.extremes for n in one.names}
        for name in sorted(left & (self.scopes.visible(loop).keys() | self.scopes.variables.keys())):
            self._make_private(made, name, exposed=True)
        return made

    def _seen(self, nest: list[Counted]) -> Seen | None:
        if self.observations is None:
            return None
        number = self.marks.numbers.get((nest[0].loop.start_byte, len(nest)))
        seen = self.observations.of(number)
        return seen if seen is not None and seen.most_turns > 1 else None

    def _settle(self, made: Turns, owner: str, meetings: list[Meeting]) -> None:
        """Note what has to become of what turns met in.

        Raises:
            CannotTransform: There is nothing that would part them.
        """
        kinds = {meeting.kind for meeting in meetings} - {Met.EXPOSED}
        sort, _, name = owner.partition(" ")
        if not kinds:
            return
        worst = next(m for m in meetings if m.kind in kinds)
        if kinds == {Met.UPDATED}:
            sites = [self.marks.sites[site] for m in meetings for site in m.sites]
            self._settle_updates(made, sort, name, sites)
            return
        if Met.CARRIED in kinds:
            worst = next(m for m in meetings if m.kind is Met.CARRIED)
        if sort == "object" and Met.CARRIED not in kinds:
            self._make_private(made, name, exposed=any(m.kind is Met.EXPOSED for m in meetings))
            return
        if sort == "object" and self._has_stamps(made, name):
            return
        if sort == "array" and kinds == {Met.OVERWRITTEN}:
            made.snapshots[name] = reads_of_before(self.scopes, self.task, made.nest, name)
            if made.snapshots[name]:
                return
        what = self._unnamed(made.loop, name) if sort == "other" else f"'{name}{self._place(name, worst)}'"
        first, second = worst.turns
        did = "read what turn" if worst.kind is Met.CARRIED else "wrote over what turn"
        raise self._no(made.loop, f"turn {second} {did} {first} had written in {what}", name)

    def _has_stamps(self, made: Turns, name: str) -> bool:
        """Whether turns only mark elements of a vector with their own number: then each has marks of its own."""
        declared = self.scopes.visible(made.loop).get(name)
        if declared is None or len(made.nest) > 1:
            return False
        declarator = self._declarator(made.loop, name)
        fixed = self.scopes.names(declarator).isdisjoint(self.scopes.targets(self.scopes.function_around(made.loop)))
        if not fixed or not are_stamps(self.scopes, made.loop, name, declarator):
            return False
        if is_named_elsewhere(self.scopes, made.loop, declared, name):
            return False
        made.private[name] = declarator
        return True

    def _unnamed(self, loop: SyntaxNode, name: str) -> str:
        """What the loop does not name: a variable that others lead to, or memory, which a container of the loop holds if there is one."""
        if name != UNNAMED:
            return f"'{name}', which it reaches by other names"
        seen = self.scopes.visible(loop)
        names = [n for n in sorted(self.scopes.names(loop) & seen.keys()) if _HOLDING.search(self.scopes.text(seen[n]))]
        return f"what {' or '.join(repr(name) for name in names)} holds" if names else "memory without a name"

    def _place(self, name: str, meeting: Meeting) -> str:
        """Which element of an array turns met in; empty for other variables."""
        arg = next((arg for arg in self.task.args if arg.name == name and arg.kind is ArgKind.ARRAY), None)
        return "" if arg is None else f"[{meeting.offset // arg.dtype.size_bytes}]"

    def _settle_updates(self, made: Turns, sort: str, name: str, sites: list[SyntaxNode]) -> None:
        loop, declared = made.loop, self.scopes.visible(made.loop).get(name)
        text = self.scopes.text(declared) if declared is not None else ""
        text += " vector" if declared is not None and self._has_vectors(text) else ""
        if sort == "other" and (name == UNNAMED or "vector" not in text):
            raise self._no(loop, f"turns update {self._unnamed(loop, name)}", name)
        operators = {self._operator(site) for site in sites}
        is_float = self._is_float(name, text, sites)
        if (is_float and self.task.tolerance.deterministic) or (sort == "object" and "vector" not in text):
            if operators - {"+=", "-=", "++", "--"} or declared is None:
                raise self._no(loop, f"turns update '{name}' by {', '.join(sorted(operators))}", name)
            targets = [update_target(self.scopes, site) for site in sites]
            if is_lent(self.scopes, declared, name) and any(t is not None and t.type == "identifier" for t in targets):
                raise self._no(loop, f"turns update the object '{name}' by an operator of its class", name)
            if any(not is_inside(site, made.body) for site in sites) or "vector" in text:
                raise self._no(loop, f"turns add to '{name}' in an order that counts", name)
            made.sums[name] = declared
            return
        if operators - {"+=", "-=", "++", "--"}:
            raise self._no(loop, f"turns update '{name}' by {', '.join(sorted(operators))}", name)
        made.atomics.extend(site for site in sites if site not in made.atomics)

    def _has_vectors(self, declaration: str) -> bool:
        """Whether a declaration is of an object whose class leads to memory elsewhere: no thread can have a part of that."""
        words = re.findall(r"\w+", declaration.split("=")[0])
        return any(points_elsewhere(self.scopes, self.scopes.classes[w]) for w in words if w in self.scopes.classes)

    def _operator(self, site: SyntaxNode) -> str:
        return self.scopes.text(site.named_children[0].child_by_field_name("operator"))

    def _is_float(self, name: str, declaration: str, sites: list[SyntaxNode]) -> bool:
        """Whether what turns add up may be of floats: an order of additions that varies then shows."""
        arg = next((arg for arg in self.task.args if arg.name == name and arg.kind is ArgKind.ARRAY), None)
        if arg is not None:
            from regrapht.records.element import StructType

            kinds = [kind for _, kind in arg.dtype.fields] if isinstance(arg.dtype, StructType) else [arg.dtype]
            return any(kind.is_float for kind in kinds)
        if "float" in declaration or "double" in declaration:
            return True
        for struct, node in self.scopes.classes.items():
            if struct in declaration:
                return "float" in self.scopes.text(node) or "double" in self.scopes.text(node)
        return "auto" in declaration

    def _declarator(self, loop: SyntaxNode, name: str) -> SyntaxNode:
        declaration = self.scopes.visible(loop).get(name)
        if declaration is None:
            declaration = self.scopes.variables.get(name)
        if declaration is None:
            raise self._no(loop, f"'{name}' is not declared in sight")
        return next((d for d in declarators(declaration) if self.scopes.text(declared_name(d)) == name), declaration)

    def _make_private(self, made: Turns, name: str, *, exposed: bool) -> None:
        """Give each turn a copy of a variable.

        Raises:
            CannotTransform: Its value is needed outside of the loop, or the one from before it inside.
        """
        loop = made.loop
        declarator = self._declarator(loop, name)
        declaration = declarator.parent
        is_local = declaration is not None and declaration.type == "declaration"
        if not is_local:
            raise self._no(loop, f"'{name}' is carried from turn to turn", name)
        if is_read_elsewhere(self.scopes, loop, declaration, name):
            if self._has_derived(made, loop, declarator, name) or self._is_copied(made, loop, declarator, name):
                return
            last = (
                last_value(self.scopes, made.body, name)
                if not exposed and declarator.type == "init_declarator"
                else None
            )
            if last is None:
                raise self._no(loop, f"'{name}', which every turn sets, is used outside of it", name)
            made.extremes.append(last)
            return
        if exposed and declarator.type in ("identifier", "array_declarator", "pointer_declarator"):
            raise self._no(loop, f"'{name}' is carried from turn to turn", name)
        if exposed and name in self.scopes.assigned(made.body):
            raise self._no(loop, f"'{name}' is carried from turn to turn", name)
        made.private[name] = declarator

    def _has_derived(self, made: Turns, loop: SyntaxNode, declarator: SyntaxNode, name: str) -> bool:
        """Whether all that reads a variable outside of the loop are constants that the loop alone uses, such as a place in it: then turns
        declare these for themselves too."""
        found: dict[str, SyntaxNode] = {name: declarator}
        for use in uses_elsewhere(self.scopes, loop, declarator.parent, name):
            other = use
            while other is not None and other.type not in ("init_declarator", "compound_statement"):
                other = other.parent
            declaration = other.parent if other is not None and other.type == "init_declarator" else None
            if (
                declaration is None
                or declaration.type != "declaration"
                or declaration.parent != declarator.parent.parent
            ):
                return False
            derived = self.scopes.text(declared_name(other))
            needed = self.scopes.names(other) - {derived}
            if derived in self.scopes.targets(self.scopes.function_around(loop)) or needed & self.scopes.changed(
                loop
            ) - {name}:
                return False
            if is_named_elsewhere(self.scopes, loop, declaration, derived):
                return False
            found[derived] = other
        made.private.update(found)
        return True

    def _is_copied(self, made: Turns, loop: SyntaxNode, declarator: SyntaxNode, name: str) -> bool:
        """Whether a local array or object is set before the loop, changed in part by turns, and not needed behind it."""
        declaration, around = declarator.parent, loop.parent
        kind = self.scopes.text(declaration.child_by_field_name("type"))
        text = self.scopes.text(self.scopes.classes[kind]) if kind in self.scopes.classes else kind
        if (
            not self.scopes.holds_its_parts(declaration, name)
            or name in self.scopes.assigned(made.body)
            or "std::" in text
        ):
            return False
        if around.type != "compound_statement" or around != declaration.parent:
            return False  # a loop around would come to what stands before again
        if any(use.start_byte > loop.start_byte for use in uses_elsewhere(self.scopes, loop, declaration, name)):
            return False
        made.copied[name] = declarator
        return True
