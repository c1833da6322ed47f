"""Lines of a block that are no code: whole sentences before and behind the program, `...` alone, headings with a `#`."""

import re

from regrapht.propose.form.program import Program
from regrapht.source.tokens import without_comments

_SENTENCE = re.compile(r"[A-Z][\w'`,-]*+(?: [\w'`,()-]++){2,}[.:!?]")
_DOTS = re.compile(r"[ \t]*(?:\.\.\.|\u2026)[ \t]*")
_HEADING = re.compile(
    r"(#+)[ \t]+(?!(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|warning|line)\b)(?=\w)"
)


def without_stray_lines(program: Program) -> str | None:
    """The text without them, headings as comments; None without any."""
    lines, plain = program.text.split("\n"), without_comments(program.text).split("\n")
    kept = list(lines)
    depth, whole = 0, 0
    for at, line in enumerate(plain):
        if _DOTS.fullmatch(line):
            kept[at] = ""
        elif depth == 0 and _HEADING.match(line):
            kept[at] = f"// {lines[at]}"
        elif depth == 0 and whole == 0 and _SENTENCE.fullmatch(line.strip()):
            kept[at] = ""
        whole = (whole + line.count("(") - line.count(")")) if depth == 0 else 0
        depth += line.count("{") - line.count("}")
    text = "\n".join(kept)
    return text if text != program.text else None
