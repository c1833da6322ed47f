"""Marks that turns leave for themselves: `if (seen[c] == r) continue; seen[c] = r;`, as in sparse products and walks over graphs.

What another turn left is like what was there before the loop: not the turn's own number. So each turn may have marks of its own.
"""

import re

from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.scopes import Scopes, walk

_NUMBERS = re.compile(r"(const )?(std::vector\s*<\s*)?((std::)?int(32|64)_t|int|long|long long)(\s*>)?")
_NEVER = re.compile(r"\(\s*[^,;{}]+,\s*-\s*[1-9]\d*\s*\)")


def are_stamps(scopes: Scopes, loop: SyntaxNode, name: str, declarator: SyntaxNode) -> bool:
    """Whether a local vector holds less than 0 before a loop that counts up from 0 or more, and turns only compare its elements with their
    own number for equality, or set them to it."""
    declaration = declarator.parent
    counter = _counter(scopes, loop)
    if counter is None or declaration.type != "declaration" or not _NUMBERS.fullmatch(_type(scopes, declaration)):
        return False
    if not _NEVER.search(scopes.text(declarator)) or counter in scopes.targets(loop.child_by_field_name("body")):
        return False
    uses = [node for node in walk(loop) if node.type == "identifier" and scopes.text(node) == name]
    return all(_is_stamp(scopes, use, counter) for use in uses)


def _type(scopes: Scopes, declaration: SyntaxNode) -> str:
    return " ".join(scopes.text(declaration.child_by_field_name("type")).split())


def _counter(scopes: Scopes, loop: SyntaxNode) -> str | None:
    """The variable of `for (int r = 0; ...; ++r)`."""
    if loop.type != "for_statement":
        return None
    start, update = (
        scopes.text(node) if node is not None else ""
        for node in map(loop.child_by_field_name, ("initializer", "update"))
    )
    found = re.fullmatch(r"(?:int|long|(?:std::)?int(?:32|64)_t)\s+(\w+)\s*=\s*\d+\s*;?", start.strip())
    steps = (f"++{found[1]}", f"{found[1]}++", f"{found[1]} += 1") if found else ()
    return found[1] if found and update.strip() in steps else None


def _is_stamp(scopes: Scopes, use: SyntaxNode, counter: str) -> bool:
    """Whether an element is compared with the counter, or set to it."""
    element = use.parent
    if element.type != "subscript_expression" or element.child_by_field_name("argument").id != use.id:
        return False
    around = element.parent
    if around.type not in ("binary_expression", "assignment_expression"):
        return False
    operator = scopes.text(around.child_by_field_name("operator"))
    left, right = around.child_by_field_name("left"), around.child_by_field_name("right")
    if around.type == "assignment_expression":
        return (
            left.id == element.id
            and operator == "="
            and scopes.text(right) == counter
            and around.parent.type == "expression_statement"
        )
    other = right if left.id == element.id else left
    return operator in ("==", "!=") and scopes.text(other) == counter
