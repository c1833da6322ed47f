"""What a port came to, for a person and as plain values."""

from regrapht.records.encoding import to_plain
from regrapht.session.port.outcome import Ported, Row


def table(ported: Ported) -> str:
    """Lines: every hot function, what was taken and what was left and why, the output, the times."""
    lines = [f"profile: {ported.profiled}; judge: {ported.device}", ""]
    for row in ported.rows:
        calls = f", {row.calls} calls" if row.calls is not None else ""
        lines.append(f"{'taken' if row.taken else 'left '} {row.share:6.1%}{calls}  {row.name} ({row.file}:{row.line})")
        lines.append(f"      {row.words}{_gain(row)}")
    count = sum(row.taken for row in ported.rows)
    lines += ["", f"{count} of {len(ported.rows)} functions taken; output: {_likeness(ported)}"]
    lines.append(_times(ported))
    if ported.patch is not None:
        lines.append(f"{ported.patch}: for `git apply` in the application's folder")
    if ported.applied:
        lines.append("applied to the application's folder")
    if ported.more_words is not None:
        lines.append(f"your compiler has to be given more: {ported.more_words}")
    return "\n".join(lines)


def as_plain(ported: Ported) -> dict[str, object]:
    """For `--json`; docs/command-line.md says what the fields are."""
    return {
        "functions": [to_plain(row) for row in ported.rows],
        "output_equal": ported.likeness.equal,
        "output": ported.likeness.words,
        "judge": ported.device,
        "profile": ported.profiled,
        "measured": ported.measured,
        "seconds_before": ported.before_s if ported.measured else None,
        "seconds_after": ported.after_s if ported.measured else None,
        "gain": ported.before_s / ported.after_s if ported.measured and ported.after_s else None,
        "patch": str(ported.patch) if ported.patch is not None else None,
        "applied": ported.applied,
        "more_words": ported.more_words,
    }


def _gain(row: Row) -> str:
    if not row.taken or row.gain is None:
        return ""
    return f"; {row.gain:.2f} x {'measured' if row.gain_is_measured else 'of a modelled cost, not a speed-up'}"


def _likeness(ported: Ported) -> str:
    return f"equal, {ported.likeness.words}" if ported.likeness.equal else f"NOT EQUAL: {ported.likeness.words}"


def _times(ported: Ported) -> str:
    if not ported.measured:
        return "no time was measured: without a GPU the application runs the sequential functions that were made flat"
    ratio = ported.before_s / ported.after_s
    times = f"{ported.before_s:.3f} s before, {ported.after_s:.3f} s after"
    said = f"whole program: {times} ({ratio:.2f} x, measured, start-up and copies included)"
    if ratio > 1:
        return said
    return (
        f"{said}: slower. A process's first call of a GPU takes some tenths of a second whatever follows: give --run an input that takes "
        "ten seconds or more as you use it"
    )
