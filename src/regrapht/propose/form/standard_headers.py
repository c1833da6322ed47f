"""Headers of the standard library and of CUDA that a program uses without including them: `source/header_names.py` knows them."""

import re

from regrapht.propose.form.program import Edit, Program
from regrapht.source.header_names import PLAIN, STD
from regrapht.source.tokens import TokenKind, tokens

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.MULTILINE)
_GIVES = {"cooperative_groups.h": ("cooperative_groups/",), "cub/cub.cuh": ("cub/",)} | {
    f"c{name}": (f"{name}.h",) for name in ("string", "stdint", "float", "ctype", "stdio", "assert")
}
"""Header -> others, by their beginnings, that do for it."""


def with_missing_headers(program: Program) -> str | None:
    """The text with an `#include` for each name of the tables whose header is not included; None where none is missing."""
    included = _INCLUDE.findall(program.text)
    missing = sorted(
        header
        for header in _needed(program)
        if not any(one == header or one.startswith(_GIVES.get(header, ("\0",))) for one in included)
    )
    if not missing:
        return None
    return program.edited([Edit(0, 0, "".join(f"#include <{header}>\n" for header in missing))])


def _needed(program: Program) -> set[str]:
    """Headers of the names that the program uses and does not define itself."""
    own = {function.name for function in program.unit.functions} | set(program.unit.structs) | set(program.unit.aliases)
    needed: set[str] = set()
    before = ("", "")
    for token in tokens(program.text):
        if token.kind is TokenKind.NAME and before[1] not in (".", "->"):
            if before[1] == "::":
                if before[0] == "std" and token.text in STD:
                    needed.add(STD[token.text])
            elif token.text in PLAIN and token.text not in own:
                needed.add(PLAIN[token.text])
        if token.kind is not TokenKind.BLANK:
            before = (before[1], token.text)
    return needed
