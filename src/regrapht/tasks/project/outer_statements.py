"""Statements of a function's outermost block that mean the same before its body runs."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.expressions import only_return, receiver_of, span, through
from regrapht.tasks.project.places import Refused
from regrapht.tasks.project.writes import written_parts

_OF_LENGTHS = ("resize", "reserve", "size", "ssize", "empty")
_NAMES = ("DECL_REF_EXPR", "MEMBER_REF_EXPR")


@dataclass(slots=True)
class OuterStatements:
    """The statements of one body."""

    unit: ClangUnit
    body: Cursor
    spans: set[tuple[int, int]] = field(init=False)
    variables: dict[str, Cursor] = field(init=False)
    """Identity of a variable that one of them declares -> that statement."""
    changed: set[str] = field(init=False)
    """Identities of variables and fields that the body changes anywhere."""

    def __post_init__(self) -> None:
        statements = list(self.body.get_children())
        self.spans = {span(through(one)) for one in statements}
        self.variables = {}
        for one in statements:
            declared = list(one.get_children()) if one.kind.name == "DECL_STMT" else []
            if len(declared) == 1 and declared[0].kind.name == "VAR_DECL":
                self.variables[declared[0].get_usr()] = one
        self.changed = self.changed_in(self.body)

    def changed_in(self, node: Cursor) -> set[str]:
        """Identities of the variables and fields that a part of the body changes."""
        meant = (through(one) for one in written_parts(node, self.unit.source))
        return {one.referenced.get_usr() for one in meant if one.kind.name in _NAMES and one.referenced is not None}

    def again(self, node: Cursor, variable: Cursor, name: str) -> list[str]:
        """The text of `node` with `variable` called `name`, behind the declarations that it needs.

        Raises:
            Refused: It depends on what the body changes, or calls what may do more than to give a value.
        """
        return [*self.needed(node, variable), self._renamed(node, variable, name)]

    def needed(self, node: Cursor, without: Cursor) -> list[str]:
        """The declarations of the variables that an expression or a statement names, `without` aside."""
        found: list[str] = []
        lengths = {span(one) for one in _asked_for_lengths(node)}
        for one in node.walk_preorder():
            meant = one.referenced
            if meant is None or meant.get_usr() == without.get_usr():
                continue
            if one.kind.name == "CALL_EXPR":
                self._refuse_effects(one, meant)
            if one.kind.name not in _NAMES or meant.kind.name not in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
                continue
            if meant.get_usr() in self.changed and span(one) not in lengths:
                raise Refused(
                    f"gives what it returns a length that depends on '{meant.spelling}', which it changes", one,
                    "keep that number in a constant of its own",
                )  # fmt: skip
            if meant.kind.name == "VAR_DECL" and self._is_inside(meant):
                statement = self.variables.get(meant.get_usr())
                if statement is None:
                    raise Refused(
                        f"gives what it returns a length that depends on '{meant.spelling}', a variable of an inner block",
                        one,
                        "compute the length from the parameters in the outermost block",
                    )
                found += [*self.needed(statement, meant), self.unit.source(statement)]
        return list(dict.fromkeys(found))

    def _refuse_effects(self, call: Cursor, meant: Cursor) -> None:
        if not self.unit.is_own(meant) or meant.kind.name == "CONSTRUCTOR":
            return
        pure = meant.kind.name != "CXX_METHOD" or meant.is_const_method() or meant.is_static_method()
        if not pure or only_return(meant) is None:
            raise Refused(
                f"gives what it returns a length that '{meant.spelling}' computes", call,
                "compute the length from the parameters without a call",
            )  # fmt: skip

    def _is_inside(self, variable: Cursor) -> bool:
        start, end = span(self.body)
        own = variable.location.file is not None and variable.location.file.name == str(self.unit.path)
        return own and start <= int(variable.location.offset) < end

    def _renamed(self, node: Cursor, variable: Cursor, name: str) -> str:
        start, end = span(node)
        text = self.unit.bytes_of(str(self.unit.path))[start:end]
        usr, old = variable.get_usr(), variable.spelling.encode()
        places = {int(variable.location.offset)}
        places |= {
            span(one)[0]
            for one in node.walk_preorder()
            if one.kind.name == "DECL_REF_EXPR" and one.referenced is not None and one.referenced.get_usr() == usr
        }
        for at in sorted(places, reverse=True):
            if start <= at < end:
                text = text[: at - start] + name.encode() + text[at - start + len(old) :]
        return text.decode("utf-8", "replace").rstrip("; \n") + ";"


def _asked_for_lengths(node: Cursor) -> Iterator[Cursor]:
    """The containers whose length is set or asked for: their elements may be changed, the length is the same."""
    for one in node.walk_preorder():
        if one.kind.name == "CALL_EXPR" and one.spelling in _OF_LENGTHS and (receiver := receiver_of(one)) is not None:
            yield through(receiver)
