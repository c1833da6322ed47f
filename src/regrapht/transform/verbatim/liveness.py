"""Whether what a loop leaves in a variable is read by anything else, as C code that declares its variables on top asks for each of them."""

from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.scopes import Scopes


def is_named_elsewhere(scopes: Scopes, loop: SyntaxNode, declaration: SyntaxNode, name: str) -> bool:
    """Whether a variable is named outside of a loop and of its declaration."""
    return any(True for _ in uses_elsewhere(scopes, loop, declaration, name))


def is_read_elsewhere(scopes: Scopes, loop: SyntaxNode, declaration: SyntaxNode, name: str) -> bool:
    """Whether some use of a variable outside of a loop may see what the loop left in it: one that no assignment of its own comes before."""
    return any(not _is_set_before(scopes, use, loop, name) for use in uses_elsewhere(scopes, loop, declaration, name))


def uses_elsewhere(scopes: Scopes, loop: SyntaxNode, declaration: SyntaxNode, name: str) -> list[SyntaxNode]:
    """Where a variable is named outside of a loop and of its declaration."""
    root = scopes.source.root if declaration.parent.type != "compound_statement" else declaration.parent
    return [
        node
        for node in scopes.source.walk(root)
        if node.type == "identifier"
        and scopes.text(node) == name
        and not is_inside(node, loop)
        and not is_inside(node, declaration)
    ]


def _is_set_before(scopes: Scopes, use: SyntaxNode, loop: SyntaxNode, name: str) -> bool:
    """Whether every way from the loop to a use goes through an assignment, or the use is one."""
    if _is_set_by(scopes, use.parent, name, use):
        return True
    node = use
    while not is_inside(loop, node) and node.parent.type not in ("function_definition", "lambda_expression"):
        around = node.parent
        if around.type == "compound_statement":
            before = [each for each in around.children if each.end_byte <= node.start_byte]
            if any(_sets(scopes, each, name) for each in before if not _is_between(loop, each, node)):
                return True
        elif around.type == "for_statement" and not is_inside(loop, around):
            start = around.child_by_field_name("initializer")
            if start is not None and not is_inside(use, start) and _sets_in(scopes, start, name):
                return True
        node = around
    return False


def _is_between(loop: SyntaxNode, first: SyntaxNode, last: SyntaxNode) -> bool:
    return bool(first.start_byte <= loop.start_byte and loop.end_byte <= last.start_byte)


def _sets(scopes: Scopes, statement: SyntaxNode, name: str) -> bool:
    """Whether a statement assigns a variable whatever happens."""
    if statement.type == "for_statement":
        start = statement.child_by_field_name("initializer")
        return start is not None and _sets_in(scopes, start, name)
    return statement.type == "expression_statement" and any(_sets_in(scopes, n, name) for n in statement.named_children)


def _sets_in(scopes: Scopes, expression: SyntaxNode, name: str) -> bool:
    if expression.type == "comma_expression":
        return any(_sets_in(scopes, part, name) for part in expression.named_children)
    return any(
        _is_set_by(scopes, each, name, each.child_by_field_name("left"))
        for each in _chained(expression)
        if name not in scopes.names(each.child_by_field_name("right"))
    )


def _chained(expression: SyntaxNode) -> list[SyntaxNode]:
    """`a = b = 0` as its assignments."""
    found = []
    while expression is not None and expression.type == "assignment_expression":
        found.append(expression)
        expression = expression.child_by_field_name("right")
    return found


def _is_set_by(scopes: Scopes, node: SyntaxNode, name: str, place: SyntaxNode) -> bool:
    """Whether `place` is what a plain assignment sets: the variable itself."""
    if node is None or node.type != "assignment_expression" or place is None:
        return False
    left = node.child_by_field_name("left")
    plain = scopes.text(node.child_by_field_name("operator")) == "="
    return bool(plain and left.id == place.id and left.type == "identifier" and scopes.text(left) == name)


def is_inside(node: SyntaxNode, around: SyntaxNode) -> bool:
    return bool(around.start_byte <= node.start_byte and node.end_byte <= around.end_byte)
