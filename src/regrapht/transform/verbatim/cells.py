"""Single values that a loop keeps behind a pointer, such as `*best = max(*best, x)`, in a local for as long as the loop runs.

What turns keep between them is looked for among variables. Lines stay.
"""

from regrapht.records.task import ArgKind, Role, Task
from regrapht.source.syntax import SourceText, SyntaxNode, function_declarator, walk
from regrapht.transform.verbatim.scopes import LOOPS

_CHANGING = ("assignment_expression", "update_expression")
_LEAVING = ("return_statement", "goto_statement", "throw_statement", "lambda_expression")
"""What would leave the local before it is put back, or see another one."""


def with_cells_as_locals(text: str, task: Task) -> str:
    """The text, in whose entry each outermost loop that changes arrays of one element does so in locals; as it is where none does."""
    source = SourceText(text)
    entry = _function(source, task.entry)
    if source.error_line is not None or entry is None:
        return text
    names = {
        arg.name: arg.dtype.c_name
        for arg in task.args
        if arg.kind is ArgKind.ARRAY and arg.role is not Role.IN and [str(e) for e in arg.shape] == ["1"]
    }
    words = {source.text(node) for node in source.walk() if node.type.endswith("identifier")}
    edits: list[tuple[int, int, str]] = []
    for loop in _outermost(entry.child_by_field_name("body")):
        if any(node.type in _LEAVING for node in walk(loop)):
            continue
        for name, kind in names.items():
            cells = _cells(source, loop, name)
            own = f"{name}_value"
            if not cells or own in words:
                continue
            edits.append((loop.start_byte, loop.start_byte, f"{{ {kind} {own} = *{name}; "))
            edits.append((loop.end_byte, loop.end_byte, f" *{name} = {own}; }}"))
            edits += [(cell.start_byte, cell.end_byte, own) for cell in cells]
    return source.edited(edits)


def _function(source: SourceText, name: str) -> SyntaxNode | None:
    for node in source.walk():
        declarator = function_declarator(node) if node.type == "function_definition" else None
        if declarator is not None and source.text(declarator.child_by_field_name("declarator")) == name:
            return node
    return None


def _outermost(node: SyntaxNode) -> list[SyntaxNode]:
    """The loops of a statement that lie in no other."""
    if node.type in LOOPS:
        return [node]
    return [loop for child in node.named_children for loop in _outermost(child)]


def _cells(source: SourceText, loop: SyntaxNode, name: str) -> list[SyntaxNode]:
    """Where a loop names the one element of an array, `*name` or `name[0]`; empty where it names the array otherwise or changes nothing."""
    found, is_changed = list[SyntaxNode](), False
    for node in walk(loop):
        if node.type != "identifier" or source.text(node) != name:
            continue
        cell: SyntaxNode = node.parent
        is_first = cell.type == "subscript_expression" and source.text(cell).replace(" ", "") == f"{name}[0]"
        is_cell = cell.type == "pointer_expression" and source.text(cell.child_by_field_name("operator")) == "*"
        around: SyntaxNode = cell.parent
        while around.type == "parenthesized_expression":
            around = around.parent
        if not (is_first or is_cell) or around.type == "pointer_expression":
            return []  # it is moved, handed on, or its address is taken
        found.append(cell)
        target = around.child_by_field_name("left") or around.child_by_field_name("argument")
        is_changed |= around.type in _CHANGING and bool(target.start_byte <= cell.start_byte < target.end_byte)
    return found if is_changed else []
