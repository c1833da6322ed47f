"""A launch whose brackets are spaced, as formatters for C++ leave it: `run<< <blocks, threads>> >(...)`."""

import re

from regrapht.propose.form.program import Program

_SPACED = re.compile(r"(?<!operator)(?<=[\w>])[ \t]*<[ \t]*<[ \t]*<(?P<shape>[^;{}<]{0,300}?)>[ \t]*>[ \t]*>(?=\s*\()")


def with_whole_launch_brackets(program: Program) -> str | None:
    """The text with `<<<` and `>>>`; None where they are whole."""
    text = _SPACED.sub(
        lambda found: f"<<<{found['shape'].strip()}>>>" if _is_spaced(found[0]) else found[0], program.text
    )
    return text if text != program.text else None


def _is_spaced(launch: str) -> bool:
    return "<<<" not in launch or ">>>" not in launch
