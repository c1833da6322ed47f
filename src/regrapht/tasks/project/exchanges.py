"""Vectors that change their contents with each other or are copied whole, in a flat function."""

from dataclasses import dataclass, field

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import operands
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Place
from regrapht.tasks.project.results import Results


@dataclass(slots=True)
class Exchanges(Results):
    """The rules for vectors as wholes."""

    equal_lengths: list[tuple[Place, Place]] = field(default_factory=list)
    """Vectors whose contents are exchanged or copied whole."""
    swapped: Cursor | None = None

    def exchange(self, call: Cursor, scope: Scope) -> str | None:
        """`swap(a, b)`, `a.swap(b)` and `a = b` of vectors, element by element: right where both are as long, which calls test."""
        if call.spelling not in ("swap", "operator=") or call.referenced is None or self.unit.is_own(call.referenced):
            return None
        receiver, given = self.arguments_of(call)
        parts = (
            operands(call) if call.spelling == "operator=" else [one for one in (receiver, *given) if one is not None]
        )
        paths = [self.vector(one, scope) for one in parts]
        if len(paths) != 2 or paths[0] is None or paths[1] is None or paths[0].type.spelling != paths[1].type.spelling:
            return None
        one, two = self.place(paths[0], scope, call), self.place(paths[1], scope, call)
        one.sized = two.sized = one.accessed = two.accessed = one.written = True
        self.equal_lengths.append((one, two))
        at, kept = self.names.fresh("at"), self.names.fresh("kept")
        text = f"{one.name}[{at}] = {two.name}[{at}];"
        if call.spelling == "swap":
            two.written, self.swapped = True, call
            text = f"{one.shape.element} {kept} = {one.name}[{at}]; {text} {two.name}[{at}] = {kept};"
        return f"for (std::size_t {at} = 0; {at} < {one.name}_size; ++{at}) {{ {text} }}"
