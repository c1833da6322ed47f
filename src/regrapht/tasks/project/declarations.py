"""What the flat file declares: structs, functions and constants of the project, each once and under a name that nothing else has there."""

import re
from dataclasses import dataclass, field

from regrapht.records.user_code import Members
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.functions import is_local
from regrapht.tasks.project.layouts import layouts_of
from regrapht.tasks.project.pairs import pair_name, pair_text
from regrapht.tasks.project.paths import Scope
from regrapht.tasks.project.places import NoBody, Refused
from regrapht.tasks.project.rendering import Renderer
from regrapht.tasks.project.struct_values import flat_type, with_name

_CLASSES = ("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE")
_PARTIAL = "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"
_INSIDE = ("NAMESPACE", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "PARM_DECL")
"""What has its name inside of a declaration only, or is taken away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A declaration of the flat file, and the line that its first line was made from."""

    text: str
    line: int
    spread: bool
    """Whether its lines are those of the source one by one."""


@dataclass(slots=True)
class Declarations:
    """Declarations of the flat file, in the order in which they are asked for."""

    unit: ClangUnit
    function: Cursor
    pieces: list[Piece] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    names_of: dict[str, dict[str, str]] = field(default_factory=dict)
    """Who has a name: functions share it, each with parameters of its own; anything else, under "", has it alone."""
    pairs: set[str] = field(default_factory=set)
    """The structs in the place of pairs."""
    elements: dict[str, str] = field(default_factory=dict)
    """Struct of an array -> its name in the flat file."""
    structs: dict[str, Members] = field(default_factory=dict)
    renderer: Renderer = field(init=False)

    def declare(self, cursor: Cursor) -> str:
        """Have a declaration of the project, or what stands for a pair, in the flat file; its name there."""
        if (pair := pair_name(cursor.type)) is not None:
            if pair not in self.pairs:
                self.pairs.add(pair)
                self._add(pair_text(cursor.type.get_canonical()), self.function)
            return pair
        template = cursor.specialized_template
        if template is not None and self.unit.is_own(template):
            if _is_specialisation(cursor, self.unit):
                return self._specialised(cursor.get_definition() or cursor, template)
            if template.kind.name == _PARTIAL:
                return self.declare(template)
            cursor = template
        parent = cursor.semantic_parent
        if parent is not None and parent.kind.name in _CLASSES and cursor.kind.name != "CLASS_TEMPLATE":
            self.declare(parent)
            outside = cursor.get_definition()
            if outside is not None and outside.lexical_parent.kind.name not in _CLASSES:
                self._define(outside)
            return str(cursor.spelling)
        defined = cursor.get_definition() or cursor
        if defined.lexical_parent is not None and defined.lexical_parent.kind.name in _CLASSES:  # a friend: in its text
            self.declare(defined.lexical_parent)
            return str(cursor.spelling)
        return self._define(defined)

    def _specialised(self, written: Cursor, template: Cursor) -> str:
        """A specialisation behind its template, which has another text."""
        name, usr = self.declare(template), written.get_usr()
        if usr not in self.declared:
            self.declared[usr] = name
            body = body_of(written)
            if body is not None:
                self.renderer.mark(body)
            self._add(self.renderer.text(written, Scope()) + ("" if body is not None else ";"), written)
        return name

    def element_name(self, record: Cursor) -> str:
        """Have the struct of an array in the flat file; a name of one word for it there, as C declares it."""
        kind = record.type.get_canonical()
        if kind.spelling not in self.elements:
            spelled = self.declare(record) if pair_name(kind) else flat_type(kind, self.unit, self.declare)
            name = spelled
            if not spelled.isidentifier():
                name = self.renderer.names.fresh(re.sub(r"\W+", "_", spelled.removeprefix("std::")).strip("_"))
                self._add(f"using {name} = {spelled};", self.function)
            self.elements[kind.spelling] = name
            self.structs |= layouts_of(name, kind, self.function)
        return self.elements[kind.spelling]

    def _define(self, cursor: Cursor) -> str:
        usr = cursor.get_usr()
        if usr in self.declared:
            return self.declared[usr]
        if cursor.kind.name in _INSIDE or is_local(cursor):
            return str(cursor.spelling)
        name = self.declared[usr] = self._name(cursor)
        is_function = cursor.kind.name in ("FUNCTION_DECL", "FUNCTION_TEMPLATE")
        if cursor == self.function or (is_function and cursor.get_usr() == self.function.get_usr()):
            raise Refused("calls itself", cursor, "write the recursion as a loop")
        if is_function and not cursor.is_definition():
            raise NoBody(cursor.spelling, cursor)
        if is_function or cursor.kind.name == "CXX_METHOD":
            body = body_of(cursor)
            if body is not None:
                self.renderer.mark(body)
        text = with_name(self.renderer.text(cursor, Scope()), name)
        if name != cursor.spelling:
            text = re.sub(rf"\b{re.escape(cursor.spelling)}\b", name, text, count=1)
        ending = "" if is_function or cursor.kind.name == "CXX_METHOD" else ";"
        self._add(text + ending, cursor)
        return name

    def _name(self, cursor: Cursor) -> str:
        spelled = str(cursor.spelling)
        overload = str(cursor.displayname) if "FUNCTION" in cursor.kind.name else ""
        owners = self.names_of.setdefault(spelled, {})
        free = not owners or (bool(overload) and "" not in owners and overload not in owners)
        if free or owners.get(overload) == cursor.get_usr():
            owners[overload] = cursor.get_usr()
            return spelled
        outer = cursor.semantic_parent
        return self.renderer.names.fresh(f"{outer.spelling if outer is not None else 'other'}_{spelled}")

    def _add(self, text: str, cursor: Cursor) -> None:
        start, end = cursor.extent.start.line, cursor.extent.end.line
        spread = text.count("\n") == end - start
        self.pieces.append(Piece(text=text, line=int(start), spread=spread))


def _is_specialisation(cursor: Cursor, unit: ClangUnit) -> bool:
    """Whether it is no instance of its template, but has a text of its own."""
    return cursor.kind.name == _PARTIAL or re.match(r"template\s*<\s*>", unit.source(cursor)) is not None


def body_of(function: Cursor) -> Cursor:
    return next((one for one in function.get_children() if one.kind.name == "COMPOUND_STMT"), None)
