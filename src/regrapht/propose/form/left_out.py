"""Code that a reply leaves out and names by a comment: `// ... existing code ...`. Nobody can tell what stands there."""

import re

from regrapht.propose.form.program import Program
from regrapht.source.functions import FunctionDefinition
from regrapht.source.tokens import without_comments

_WORDS = r"existing|unchanged|same|remains?|remaining|rest|previous|other|original"
_PHRASES = r"existing code|rest of the (?:code|kernel|function|program|body)|remains? (?:the same|unchanged)"
_LEFT_OUT = re.compile(
    rf"(?://|/\*)[ \t]*(?:\.\.\.|\u2026)[^\n]{{0,120}}\b(?:{_WORDS})\b[^\n]{{0,120}}"
    rf"|(?://|/\*)[^\n]{{0,120}}\b(?:{_PHRASES})\b[^\n]{{0,120}}",
    re.IGNORECASE,
)


def is_left_out(function: FunctionDefinition) -> bool:
    """Whether the body is nothing but a comment that stands for code."""
    body = (function.body.text or b"").decode("utf-8", "replace")
    return _LEFT_OUT.search(body) is not None and not without_comments(body).strip("{} \t\r\n")


def kernels_left_open(program: Program, file: str) -> list[str]:
    """Names of the kernels that are in the program as the file has them, with nothing written into them, or that are empty."""
    own = {one.name: _code_of(one) for one in Program(file, program.task).kernels}
    return [one.name for one in program.kernels if _code_of(one) in (own.get(one.name), "{}")]


def _code_of(function: FunctionDefinition) -> str:
    return "".join(without_comments((function.body.text or b"").decode("utf-8", "replace")).split())


def what_is_left_out(program: Program) -> str | None:
    """The comment that stands for code in a function's body; None without any."""
    for function in program.unit.functions:
        found = _LEFT_OUT.search((function.body.text or b"").decode("utf-8", "replace"))
        if found is not None:
            return " ".join(found[0].split())[:80]
    return None
