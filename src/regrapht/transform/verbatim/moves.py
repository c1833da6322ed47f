"""What every turn of a loop moves by the same amount: pointers that walk along, and counters."""

import re
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.counting import Counted, comma, counted
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, belongs, leaves, walk

_CONDITIONAL = (
    "if_statement",
    "switch_statement",
    "conditional_expression",
    "lambda_expression",
    "while_statement",
    "do_statement",
)
_KNOWN = re.compile(
    r"\bverbatim::\w+\(|\b(std::)?(min|max|abs)\(|\bsizeof\s*\(|\.size\(|\b(static_cast<[\w: ]+>|(std::)?\w+_t|int|long)\s*\("
)
_CALL = re.compile(r"\w\s*\(")
_UPDATING = ("update_expression", "assignment_expression")


class _Uneven(Exception):
    """A name does not move evenly."""


def even_moves(scopes: Scopes, nest: list[Counted]) -> dict[str, str]:
    """Outer names that each turn of a nest moves by the same amount -> that amount, as C++ for the place before the loop."""
    body, found = nest[-1].body, {name: by for one in nest for name, by in one.moves}
    inner = _Inside(scopes, body, frozenset(name for one in nest for name in one.variables))
    for name in sorted(scopes.assigned(body)):
        if name not in scopes.visible(nest[0].loop) and name not in scopes.variables:
            continue
        try:
            by = inner.amount(body, name)
        except _Uneven:
            found.pop(name, None)
            continue
        if by is not None:
            found[name] = f"{found[name]} + {by}" if name in found else by
    return {name: by for name, by in found.items() if inner.is_known_before(by)}


@dataclass(frozen=True, slots=True)
class _Inside:
    """How much the statements of one turn move a name."""

    scopes: Scopes
    body: SyntaxNode
    counters: frozenset[str]

    def is_known_before(self, text: str) -> bool:
        """Whether an amount is the same for every turn: it names nothing that the body declares or changes, and neither memory nor what
        may read it."""
        names = set(re.findall(r"\b[A-Za-z_]\w*\b", text))
        changing = self.scopes.locals_of(self.body) | self.scopes.changed(self.body) | self.counters
        return (
            not names & changing
            and not _CALL.search(_KNOWN.sub("", text))
            and "[" not in text
            and "->" not in text
            and not re.search(r"(^|[(,+\-*/])\s*\*\w", text)
        )

    def amount(self, statement: SyntaxNode, name: str) -> str | None:
        """By how much a statement moves the name; None for not at all."""
        kind = statement.type
        if not self._assigns(statement, name):
            return None
        ends = [n for n in walk(statement) if n.type == "continue_statement" and belongs(n, statement, LOOPS)]
        if ends and kind not in LOOPS:  # a loop's own end its turns alone, and its header moves on
            raise _Uneven
        if kind == "compound_statement":
            return _sum([self.amount(child, name) for child in statement.named_children])
        if kind in LOOPS:
            return self._of_loop(statement, name)
        if kind == "if_statement":
            return self._of_branches(statement, name)
        if kind in ("expression_statement", "declaration", "return_statement"):
            return _sum(
                [self._of_expression(node, statement, name) for node in walk(statement) if node.type in _UPDATING]
            )
        raise _Uneven

    def _assigns(self, node: SyntaxNode, name: str) -> bool:
        return any(self._target(each) == name for each in walk(node) if each.type in _UPDATING)

    def _target(self, node: SyntaxNode) -> str | None:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        return self.scopes.text(target) if target.type == "identifier" else None

    def _of_expression(self, node: SyntaxNode, statement: SyntaxNode, name: str) -> str | None:
        if self._target(node) != name:
            return None
        up = node.parent
        while up.id != statement.id:
            text = self.scopes.text(up.child_by_field_name("operator")) if up.type == "binary_expression" else ""
            if up.type in _CONDITIONAL or text in ("&&", "||"):
                raise _Uneven
            up = up.parent
        operator = self.scopes.text(node.child_by_field_name("operator"))
        if node.type == "update_expression":
            return "1" if operator == "++" else "-1"
        right = self.scopes.text(node.child_by_field_name("right"))
        if operator not in ("+=", "-=") or name in self.scopes.names(node.child_by_field_name("right")):
            raise _Uneven
        return f"({right})" if operator == "+=" else f"-({right})"

    def _of_loop(self, loop: SyntaxNode, name: str) -> str | None:
        try:
            one = counted(self.scopes, loop)
        except CannotTransform:
            raise _Uneven from None
        if name in one.ends or leaves(one.body) is not None or not self.is_known_before(one.uses_outside):
            raise _Uneven
        update = loop.child_by_field_name("update") if loop.type == "for_statement" else None
        header = [
            node for step in (comma(update) if update is not None else []) for node in [step] if node.type in _UPDATING
        ]
        inside = _sum([self.amount(one.body, name), *(self._of_expression(node, loop, name) for node in header)])
        return None if inside is None else f"verbatim::turns({one.count}) * ({inside})"

    def _of_branches(self, statement: SyntaxNode, name: str) -> str | None:
        if self._assigns(statement.child_by_field_name("condition"), name):
            raise _Uneven
        other = statement.child_by_field_name("alternative")
        if other is None:
            raise _Uneven
        chosen = other.named_children[0] if other.type == "else_clause" else other
        first, second = self.amount(statement.child_by_field_name("consequence"), name), self.amount(chosen, name)
        if first != second:
            raise _Uneven
        return first


def _sum(parts: list[str | None]) -> str | None:
    given = [part for part in parts if part is not None]
    return " + ".join(given) if given else None
