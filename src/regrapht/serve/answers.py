"""What a tool answers: short enough for an agent's context, and plain about what was refused, what was not checked, and what failed.

An answer is a JSON object of at most `MOST_BYTES` unless detail was asked for. `outcome` is one word of:
`passed`, `refused`, `not_checked` (nothing on this machine can judge it), `task_at_fault`, `machine_unavailable`, `pending`, `error`.
"""

import json
from typing import Any

from regrapht.errors import Unavailable, as_plain
from regrapht.records.encoding import to_plain
from regrapht.records.measurement import Scale, Yardstick
from regrapht.records.verdict import Severity, Status, Verdict

MOST_BYTES = 2048
_SHORTEST_CUT = 120
"""A text is not cut below so many characters; then lists lose their last entries."""

Answer = dict[str, Any]


def outcome_of(verdict: Verdict) -> str:
    """The verdict in one word; unknown is not a pass."""
    if verdict.passed:
        return "passed"
    return {Status.UNSUPPORTED: "not_checked", Status.INVALID_TASK: "task_at_fault"}.get(verdict.status, "refused")


def verdict_answer(judgement_id: str, verdict: Verdict, yardstick: Yardstick | None, *, detail: bool) -> Answer:
    """A verdict for an agent: what happened, what to mend, what it costs, what was not checked."""
    answer: Answer = {
        "id": judgement_id,
        "outcome": outcome_of(verdict),
        "status": verdict.status.value,
        "level": verdict.level.value,
        "reason": verdict.reason,
    }
    if not verdict.passed and verdict.feedback:
        answer["feedback"] = verdict.feedback
    errors = [f for f in verdict.findings if f.severity is Severity.ERROR] or list(verdict.findings)
    if errors:
        answer["findings"] = [
            {
                key: value
                for key, value in (
                    ("kind", f.kind),
                    ("line", f.line),
                    ("other_line", f.other_line),
                    ("message", f.message),
                    ("hint", f.hint),
                )
                if value
            }
            for f in errors[:3]
        ]
    answer |= _worth(verdict, yardstick)
    if verdict.labels:
        answer["not_enforced"] = list(verdict.labels)
    answer["next"] = _next(verdict)
    if detail:
        answer["verdict"] = to_plain(verdict)
    return answer


def _worth(verdict: Verdict, yardstick: Yardstick | None) -> Answer:
    """Time and gain, measured or modelled and called so."""
    if not verdict.passed:
        return {}
    measured = verdict.time_us
    if yardstick is None and verdict.gain_over_plain is not None:
        of: Answer = {"time_us": measured} if measured is not None else {"no_timing": verdict.no_timing}
        if measured is None and verdict.evidence is not None:
            of |= {"modelled_cost": verdict.evidence.modelled_cost}
        known = {"gain": verdict.gain_over_plain, "gain_over": "plain", "gain_is_measured": measured is not None}
        return of | known
    if measured is not None:
        found: Answer = {"time_us": measured}
        if yardstick is not None and yardstick.scale is Scale.MEASURED_US:
            found |= {"gain": yardstick.start / measured, "gain_over": yardstick.start_name, "gain_is_measured": True}
        return found
    if verdict.evidence is not None:
        cost = verdict.evidence.modelled_cost
        found = {"modelled_cost": cost, "no_timing": verdict.no_timing}
        if yardstick is not None and yardstick.scale is Scale.MODELLED and cost > 0:
            found |= {"gain": yardstick.start / cost, "gain_over": yardstick.start_name, "gain_is_measured": False}
        return found
    return {"no_timing": verdict.no_timing}


def _next(verdict: Verdict) -> str:
    if verdict.passed:
        if verdict.level.value == "screen":
            return "ask techniques for what to try on it, or judge it with level=full"
        return "done, or ask techniques for what to try next"
    if verdict.status is Status.UNSUPPORTED:
        return "this machine cannot judge it: write it without what the reason names"
    if verdict.status is Status.INVALID_TASK:
        return "the task's own reference is at fault: no program can pass until it is mended"
    return "mend what the feedback names and judge it again"


def error_answer(error: BaseException) -> Answer:
    """A fault that prevented an answer: the user's to mend, or the machine's."""
    outcome = "machine_unavailable" if isinstance(error, Unavailable) else "error"
    told = as_plain(error)
    if told["kind"] == "internal":  # what it says of the server's inside is no caller's business
        told |= {"message": "a fault of the server; its log has the rest", "remedy": "ask again"}
    return {"outcome": outcome, "error": told}


def fitted(answer: Answer, *, detail: bool) -> Answer:
    """The answer within `MOST_BYTES`, its longest texts cut first, then its longest lists; as it is with `detail`."""
    if detail or _bytes(answer) <= MOST_BYTES:
        return answer
    shortened: Answer = json.loads(json.dumps(answer))
    shortened["shortened"] = "ask with detail=true for all of it"
    while (excess := _bytes(shortened) - MOST_BYTES) > 0:
        text = max(_leaves(shortened, str), key=lambda leaf: len(leaf[0][leaf[1]]), default=None)
        if text is not None and len(text[0][text[1]]) > _SHORTEST_CUT:
            held, key = text
            keep = max(_SHORTEST_CUT - 2, len(held[key]) - excess - 8)
            held[key] = held[key][:keep] + " …"
            continue
        rows = max(_leaves(shortened, list), key=lambda leaf: len(leaf[0][leaf[1]]), default=None)
        if rows is None or not rows[0][rows[1]]:
            return shortened
        entries = rows[0][rows[1]]
        del entries[-max(1, len(entries) // 16) :]
    return shortened


def _bytes(answer: Answer) -> int:
    return len(json.dumps(answer, ensure_ascii=False).encode())


def _leaves(value: Any, kind: type) -> list[tuple[Any, Any]]:
    """Every place of `kind` inside, as the container and its key."""
    found: list[tuple[Any, Any]] = []
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in places:
        if isinstance(inside, kind):
            found.append((value, key))
        found += _leaves(inside, kind)
    return found
