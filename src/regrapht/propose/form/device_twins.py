"""`std::swap`, `std::sort`, `__builtin_ctz` in device code, which nvcc has for the host alone: twins that are for both.

`std::max(x, kMost)` takes a constant by reference, which one at file scope does not have on the device: `+kMost` is its value.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from regrapht.propose.form.program import Edit, Program, calls_of, is_host, top_of_code
from regrapht.propose.form.reference_locals import file_names
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import text_of, walk
from regrapht.transform.verbatim.rendering import BUILTINS, STANDARD
from regrapht.transform.verbatim.runtime_parts import definitions_of

if TYPE_CHECKING:
    from tree_sitter import Node

_TAKEN = frozenset({"max", "min", "clamp", "array", "pair", "make_pair", "numeric_limits", "less", "greater"})
"""Of the standard library's, what device code may use as it is."""
_HOSTS = {"qualified_identifier": ("std::", STANDARD - _TAKEN), "identifier": ("__builtin_", BUILTINS)}
"""Type of a name's node -> what it begins with, and the names that have a twin."""
_BY_REFERENCE = ("std::max", "std::min", "std::clamp")


def with_twins_for_the_device(program: Program) -> str | None:
    """The text whose device code names the twins, defined after the includes; None where it needs none."""
    edits, wanted = [], set()
    constants = file_names(program)
    for function in program.unit.functions:
        if is_host(function):
            continue
        for node, name in _wanting(function):
            wanted.add(name)
            edits.append(Edit(node.start_byte, node.end_byte, f"verbatim::{name}"))
        for called, _, arguments in calls_of(function.body):
            by_reference = [one for one in arguments if called in _BY_REFERENCE and text_of(one) in constants]
            edits += [Edit(one.start_byte, one.start_byte, "+") for one in by_reference]
    if wanted and "namespace verbatim" not in program.text:
        at = top_of_code(program)
        twins = definitions_of(wanted, ["standard.h"])
        edits.append(Edit(at, at, f"\n#include <cstddef>\n\n{twins}\n"))
    return program.edited(edits) if edits else None


def _wanting(function: FunctionDefinition) -> Iterator[tuple["Node", str]]:
    """Each name in the function that stands for something of the host's, and its twin."""
    for node in walk(function.body):
        prefix, known = _HOSTS.get(node.type, ("", frozenset()))
        name = text_of(node).removeprefix(prefix) if known else ""
        if name in known and text_of(node) == prefix + name:
            yield node, name
