"""Vectors, and objects that hold them, which change their contents with each other or are copied whole, in a flat function."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import operands, receiver_of, through
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import Path, Place, Refused, bare, shape_of
from regrapht.tasks.project.results import Results
from regrapht.tasks.project.struct_values import is_implicit


@dataclass(slots=True)
class Exchanges(Results):
    """The rules for vectors as wholes."""

    equal_lengths: list[tuple[Place, Place]] = field(default_factory=list)
    """Vectors whose contents are exchanged or copied whole."""
    equal_numbers: list[tuple[Path, Path]] = field(default_factory=list)
    """Numbers of objects that are swapped: calls test that they are equal."""
    swapped: Cursor | None = None

    def exchange(self, call: Cursor, scope: Scope) -> str | None:
        """`swap(a, b)`, `a.swap(b)` and `a = b` of vectors, element by element: right where both are as long, which calls test."""
        if call.spelling not in ("swap", "operator=") or call.referenced is None:
            return None
        receiver, given = self.arguments_of(call)
        if self.unit.is_own(call.referenced):
            parts = [one for one in (receiver, *given) if one is not None]
            swaps = call.spelling == "swap" and len(parts) == 2 and _swaps_one_by_one(call.referenced)
            return self._swap_of_objects(parts, scope, call) if swaps else None
        parts = (
            operands(call) if call.spelling == "operator=" else [one for one in (receiver, *given) if one is not None]
        )
        paths = [self.vector(one, scope) for one in parts]
        if len(paths) != 2 or paths[0] is None or paths[1] is None or paths[0].type.spelling != paths[1].type.spelling:
            return self._swap_of_objects(parts, scope, call) if call.spelling == "swap" and len(parts) == 2 else None
        return self._of_vectors(paths[0], paths[1], scope, call)

    def _of_vectors(self, first: Path, second: Path, scope: Scope, call: Cursor) -> str:
        one, two = self.place(first, scope, call), self.place(second, scope, call)
        one.sized = two.sized = one.accessed = two.accessed = one.written = True
        self.equal_lengths.append((one, two))
        at, kept = self.names.fresh("at"), self.names.fresh("kept")
        text = f"{one.name}[{at}] = {two.name}[{at}];"
        if call.spelling == "swap":
            two.written, self.swapped = True, call
            text = f"{one.shape.element} {kept} = {one.name}[{at}]; {text} {two.name}[{at}] = {kept};"
        return f"for (std::size_t {at} = 0; {at} < {one.name}_size; ++{at}) {{ {text} }}"

    def _swap_of_objects(self, parts: list[Cursor], scope: Scope, call: Cursor) -> str | None:
        """Two objects of numbers and vectors, such as a field and its next state: the vectors are exchanged, the numbers are equal."""
        one, two = (self.path(through(part), scope) for part in parts)
        if one is None or two is None or bare(one.type).spelling != bare(two.type).spelling:
            return None
        if not self.unit.is_own(call.referenced) and not _swaps_fields(one):
            return None
        vectors, numbers = [], []
        for member in bare(one.type).get_fields():
            pair = self.part(one, member), self.part(two, member)
            shape = shape_of(pair[0].type)
            if shape is not None and shape.kind == "scalar" and not (pair[0].hidden or pair[1].hidden):
                numbers.append(pair)
            elif shape is not None and shape.container == "vector" and shape.kind == "sequence" and not shape.inner:
                vectors.append(pair)
            else:
                return None
        self.equal_numbers += numbers
        return " ".join(self._of_vectors(*pair, scope, call) for pair in vectors)

    def refuse_changed_numbers(self, places: Mapping[tuple[str, ...], Place]) -> None:
        """A number of objects that are swapped is the same on both sides, unless the function changes one.

        Raises:
            Refused: It does.
        """
        for path in (one for pair in self.equal_numbers for one in pair):
            place = places.get(path.key)
            if place is not None and place.written and self.swapped is not None:
                raise Refused(f"swaps objects and changes '{path.expression}'", self.swapped, "swap their vectors")


def _swaps_fields(path: Path) -> bool:
    """Whether `std::swap` of such objects swaps their fields and does no more."""
    record = bare(path.type).get_declaration()
    if record.kind.name not in ("CLASS_DECL", "STRUCT_DECL"):
        return False
    for member in (record.specialized_template or record).get_children():
        own = member.kind.name == "DESTRUCTOR" or member.spelling == "operator="
        own = own or (
            member.kind.name == "CONSTRUCTOR" and (member.is_copy_constructor() or member.is_move_constructor())
        )
        if member.kind.name == "CXX_BASE_SPECIFIER" or (
            own and not member.is_default_method() and not is_implicit(member)
        ):
            return False
    return True


def _swaps_one_by_one(function: Cursor) -> bool:
    """Whether a `swap` of the project swaps every field of an object with the same field of another, and does no more."""
    body = next(
        (one for one in (function.get_definition() or function).get_children() if one.kind.name == "COMPOUND_STMT"),
        None,
    )
    swapped = set()
    for statement in body.get_children() if body is not None else ():
        call = through(statement)
        if statement.kind.name == "DECL_STMT" and [one.kind.name for one in statement.get_children()] == [
            "USING_DECLARATION"
        ]:
            continue
        if call.kind.name != "CALL_EXPR" or call.spelling != "swap":
            return False
        receiver = receiver_of(call)
        parts = [through(one) for one in (receiver, *call.get_arguments()) if one is not None]
        fields = {one.referenced.get_usr() for one in parts if one.kind.name == "MEMBER_REF_EXPR" and one.referenced}
        if len(parts) != 2 or len(fields) != 1 or _owner(parts[0]) == _owner(parts[1]):
            return False
        swapped |= fields
    kinds = [bare(one.type) for one in function.get_arguments()]
    return bool(kinds) and swapped == {one.get_usr() for one in kinds[-1].get_fields()}


def _owner(member: Cursor) -> str:
    """Whose field it is: the identity of the parameter that is named, nothing for `this`."""
    base = next((through(one) for one in member.get_children() if one.kind.is_expression()), None)
    named = base is not None and base.kind.name == "DECL_REF_EXPR" and base.referenced is not None
    return str(base.referenced.get_usr()) if named and base is not None else ""
