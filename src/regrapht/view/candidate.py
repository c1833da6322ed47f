"""One candidate as text for a page: its program with what each line costs, what changed, what the judge found, prompt and reply."""

import difflib
from html import escape

from regrapht.records.proposal import Judged
from regrapht.records.verdict import Verdict
from regrapht.report.text import describe_verdict

_CONTEXT = 3


def facts(judged: Judged) -> list[tuple[str, str]]:
    """What is said of it beside its texts."""
    candidate, verdict = judged.candidate, judged.verdict
    usage = candidate.origin.usage
    known: list[tuple[str, str | None]] = [
        ("Techniques", " -> ".join(candidate.techniques)),
        ("Written by", candidate.writer.value),
        ("Mends of form", ", ".join(candidate.mended)),
        ("Independence", candidate.independence),
        ("Why no program", candidate.reason),
        ("Explanation", candidate.explanation),
        ("Tokens", str(usage.total_tokens) if usage is not None else None),
        ("Cost", f"{usage.cost_usd:.5f} USD" if usage is not None and usage.cost_usd is not None else None),
        ("Judged in", f"{verdict.seconds:.1f} s, {verdict.level.value}, by {verdict.evaluator}"),
        ("Not enforced here", ", ".join(verdict.labels)),
    ]
    return [(name, value) for name, value in known if value]


def evidence(verdict: Verdict) -> str:
    """What the judgement rests on, as `regrapht check` prints it, with what a proposer is told."""
    told = describe_verdict(verdict)
    return f"{told}\n\nfeedback:\n{verdict.feedback}" if verdict.feedback else told


def diff_html(before: str, after: str) -> str:
    """What changed, line by line, as HTML; every text is escaped."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=_CONTEXT)
    shown = [f'<span class="{_kind(line)}">{escape(line) or "&nbsp;"}</span>' for line in lines]
    return f'<pre class="diff">{"".join(shown)}</pre>' if shown else "<p>The two are the same text.</p>"


def _kind(line: str) -> str:
    if line.startswith("@@"):
        return "place"
    return {"+": "added", "-": "taken"}.get(line[:1], "same")


def heat_html(source: str, verdict: Verdict) -> str | None:
    """The program with a mark as dark as the share of its modelled instructions that each line has; None where none were modelled."""
    if verdict.evidence is None or not verdict.evidence.lines:
        return None
    work: dict[int, int] = {}
    for line in verdict.evidence.lines:
        work[line.line] = work.get(line.line, 0) + line.instructions
    most = max(work.values(), default=0) or 1
    rows = [_heat_row(number, text, work.get(number, 0), most) for number, text in enumerate(source.splitlines(), 1)]
    return f'<pre class="heat">{"".join(rows)}</pre>'


def _heat_row(number: int, text: str, work: int, most: int) -> str:
    share = work / most
    shown = f"{100 * share:3.0f} %" if work else "     "
    return f'<span style="background: rgba(194, 87, 26, {0.5 * share:.3f})">{shown} {number:4}  {escape(text)}</span>'
