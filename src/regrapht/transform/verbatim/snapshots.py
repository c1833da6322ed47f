"""Arrays that turns read where later turns write, as `dp[w] = max(dp[w], dp[w - weight] + value)` from the end does: a copy is read.

Observed runs say that no turn reads what another wrote; here is seen that each writes its own element alone, and reads nothing behind that.
"""

import re

from regrapht.records.task import ArgKind, Task
from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.counting import Counted
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, walk

_CHANGING = ("assignment_expression", "update_expression")


def reads_of_before(scopes: Scopes, task: Task, nest: list[Counted], name: str) -> list[SyntaxNode]:
    """The uses of an array in a loop that a copy of it from before the loop can serve; empty where that is not enough, or not seen."""
    loop, body = nest[0].loop, nest[-1].body
    is_array = any(arg.name == name and arg.kind is ArgKind.ARRAY for arg in task.args)
    declared = scopes.visible(loop).get(name)
    is_parameter = declared is not None and declared.type == "parameter_declaration"
    is_entry = scopes.function_around(loop).id == scopes.entry.id
    if not (is_array and is_parameter and is_entry) or name in scopes.targets(scopes.entry):
        return []
    if (
        len(nest) > 1
        or len(nest[0].variables) != 1
        or any(node.type in (*LOOPS, "lambda_expression") for node in walk(body))
    ):
        return []
    uses = [node for node in walk(body) if node.type == "identifier" and scopes.text(node) == name]
    places = [use.parent for use in uses]
    if any(place.type != "subscript_expression" or place.parent.type == "pointer_expression" for place in places):
        return []
    written = [place for place in places if _is_written(place)]
    if len(written) != 1 or not _is_own(scopes.text(written[0]), name, nest[0].variables[0]):
        return []
    statement = written[0].parent.parent
    if statement.type != "expression_statement" or any(place.start_byte > statement.end_byte for place in places):
        return []
    own = scopes.text(written[0]).replace(" ", "")
    return [use for use, place in zip(uses, places, strict=True) if scopes.text(place).replace(" ", "") != own]


def _is_written(place: SyntaxNode) -> bool:
    around = place.parent
    target = around.child_by_field_name("left") or around.child_by_field_name("argument")
    return around.type in _CHANGING and target is not None and bool(target.id == place.id)


def _is_own(place: str, name: str, variable: str) -> bool:
    """Whether an element is another one for each turn."""
    return re.fullmatch(rf"{name}\s*\[\s*{variable}\s*([+-]\s*\d+)?\s*\]", place) is not None


def copy_name(name: str) -> str:
    """What the copy of an array is called in kernel and launcher."""
    return f"{name}_before"


def declared_copy(name: str, length: str) -> str:
    """The copy, as the launcher declares it."""
    return f"const verbatim::vector<std::decay_t<decltype(*{name})>> {copy_name(name)}({name}, {name} + {length});"
