"""`long long*` where `int64_t*` is wanted: two types to the compiler, one to the machine. Declared heads have the first."""

from collections.abc import Iterator

from regrapht.propose.form.pointers import handed
from regrapht.propose.form.program import Edit, Program
from regrapht.source.syntax import text_of, walk

_ONE = {"int64_t": "long long", "uint64_t": "unsigned long long"}
"""Spelling of models -> that of declared heads. On every machine with CUDA both have 64 bits."""


def with_one_spelling_of_wide_integers(program: Program) -> str | None:
    """The text with the declared head's spelling everywhere; None where no pointer changes between the two."""
    if not any(name in program.text for name in _ONE) or not any(map(_differs, _pairs(program))):
        return None
    edits = []
    for node in walk(program.root):
        name = text_of(node).removeprefix("std::") if node.type in ("primitive_type", "type_identifier") else ""
        if node.type == "qualified_identifier" and text_of(node).startswith("std::"):
            name = text_of(node).removeprefix("std::")
        if name in _ONE:
            called = node.parent is not None and node.parent.type in ("call_expression", "compound_literal_expression")
            edits.append(Edit(node.start_byte, node.end_byte, f"decltype({_zero(name)})" if called else _ONE[name]))
    return program.edited(edits)


def _pairs(program: Program) -> Iterator[tuple[str, str]]:
    return ((one.given.type_text, one.wanted.type_text) for one in handed(program))


def _differs(pair: tuple[str, str]) -> bool:
    given, wanted = pair
    return given != wanted and _ONE.get(given, given) == _ONE.get(wanted, wanted)


def _zero(name: str) -> str:
    """`int64_t(x)` has no like with two words: a literal's type stands for them."""
    return "0ull" if name.startswith("u") else "0ll"
