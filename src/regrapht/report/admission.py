"""The examination of a task in plain text, for a terminal."""

import textwrap

from regrapht.evaluate.admission.findings import Admission

_COLUMN = 21


def describe_admission(admission: Admission, *, width: int = 120) -> str:
    """Whether the task is admitted, its findings as a table, and what was not looked at."""
    errors = len(admission.errors)
    warnings = len(admission.findings) - errors
    counted = [f"{n} {word}{'s' * (n > 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    verdict = "admitted" if admission.admitted else "NOT ADMITTED"
    lines = [f"{admission.task_id}: {verdict}{': ' if counted else ''}{', '.join(counted)} ({admission.seconds:.1f} s)"]
    for finding in admission.findings:
        head = f"  {finding.severity.value:8} {finding.rule.value:{_COLUMN}}"
        lines += textwrap.wrap(
            finding.message,
            max(width, 60),
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_long_words=False,
            break_on_hyphens=False,
        )
    lines += [f"  not looked at: {why}" for why in admission.unchecked]
    return "\n".join(lines)
