"""Why the engine has no program of a task, as one line for who writes one: which loop or statement, and what stands against it."""

import re

from regrapht.errors import CannotTransform
from regrapht.records.task import Task

_LINE = re.compile(r"\bline (\d+)\b(?!\s*\()")
_NOT_LOOKED_AT = re.compile(
    r"(?:; and as it is written, )?(?:line \d+: )?the loop's turns depend on each other: "
    r"(?:nothing was observed of it|it never had two turns in an observed run)"
)
"""What says no more than that nobody looked."""


def obstacle(task: Task, error: CannotTransform) -> str:
    """The error's reason with the lines that it names quoted; empty where it says nothing of the function."""
    where = f"line {error.line}: " if error.line is not None else ""
    said = _NOT_LOOKED_AT.sub("", where + error.reason).removesuffix(": ").strip()
    lines = task.reference.source.text.split("\n")

    def quoted(found: re.Match[str]) -> str:
        number = int(found[1])
        text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        return f"{found[0]} (`{text}`)" if text else found[0]

    return " ".join(_LINE.sub(quoted, said).split()) if said != where.strip().removesuffix(":") else ""
