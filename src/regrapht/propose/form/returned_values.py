"""Values that the entry returns, most often an error's code: the entry is `void`, so they are computed and dropped."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, is_host
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN = re.compile(r"\w+|cuda(?:GetLastError|PeekAtLastError|DeviceSynchronize)\(\)")
"""What may be left out: a name, a number, a call that the judge makes as well."""


def without_returned_values(program: Program) -> str | None:
    """The text whose entry returns nothing; None where it does so already."""
    edits = []
    for entry in program.entries:
        if not is_host(entry):
            continue
        for node in _returns(entry.body):
            value = text_of(node.named_children[0])
            plain = "return;" if _PLAIN.fullmatch(value) else f"{{ (void)({value}); return; }}"
            edits.append(Edit(node.start_byte, node.end_byte, plain))
    return program.edited(edits) if edits else None


def _returns(body: "Node") -> Iterator["Node"]:
    """The `return`s with a value, but for those of lambdas."""
    inside = [one for one in walk(body) if one.type == "lambda_expression"]
    for node in walk(body):
        is_own = not any(one.start_byte <= node.start_byte < one.end_byte for one in inside)
        if (
            is_own
            and node.type == "return_statement"
            and node.named_children
            and node.named_children[0].type != "comment"
        ):
            yield node
