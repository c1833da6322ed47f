"""An import as text: what came, what is known to be wrong with the source, and what did not come, with its reason."""

import textwrap
from collections import Counter
from collections.abc import Sequence

from regrapht.bench.importers.imported import Defect, Import, ImportedTask, Matter, NotImported

_WIDTH = 140
_MATTERS = {
    Matter.GONE: "gone: it is in the source's own driver or protocol",
    Matter.HANDLED: "handled by the import",
}


def import_text(done: Import) -> str:
    """The whole account, a table of known defects included."""
    found = done.found
    counts = Counter(how.value for how in done.written.values())
    told = ", ".join(f"{number} {how}" for how, number in sorted(counts.items())) or "none"
    lines = [f"{found.source} at {found.commit[:45]}: {len(found.tasks)} problems are tasks in {done.out} ({told})"]
    if not found.tasks:
        lines += ["nothing was imported: why each problem was left out stands below"]
    if done.verified is not None:
        wrong = {id: why for id, why in done.verified.items() if why}
        lines.append(
            f"compared with the modules themselves: {len(done.verified) - len(wrong)} agree, {len(wrong)} do not"
        )
        lines += [f"  {id}: {why}" for id, why in wrong.items()]
    lines += _defects(done)
    lines += _not_imported(done)
    kept = [id for id, how in done.written.items() if how == "kept"]
    if kept:
        lines += [
            "",
            "Changed by hand since they were imported, and left alone (--force writes over them):",
            *_list(kept),
        ]
    if done.earlier:
        lines += ["", "From an earlier import, and not made by this one:", *_list(done.earlier)]
    if found.remarks:
        lines += ["", "Of the source as a whole:"]
        lines += [part for remark in found.remarks for part in _wrapped(remark, "* ", "  ")]
    lines += ["", f"Next: regrapht bench admit {done.out}"] if found.tasks else []
    return "\n".join(lines)


def _defects(done: Import) -> list[str]:
    """One row a finding: most come from one problem, some from all."""
    mine = _by_finding(done.found.tasks)
    others = _by_finding(done.found.not_imported)
    lines = ["", f"Known defects of the source in what was imported ({len(mine)}):"] if mine else []
    for one, problems in mine:
        outcome = _MATTERS[one.matter] + (f": {one.answer}" if one.answer else "")
        lines += _row(f"{one.finding}  [{outcome}]", problems)
    lines += ["", f"Known defects of problems that were not imported ({len(others)}):"] if others else []
    for one, problems in others:
        lines += _row(one.finding, problems)
    return lines


def _by_finding(told: Sequence[ImportedTask | NotImported]) -> list[tuple[Defect, list[str]]]:
    where: dict[Defect, list[str]] = {}
    for one in told:
        for defect in one.defects:
            where.setdefault(defect, []).append(one.problem)
    return sorted(where.items(), key=lambda one: one[1][0])


def _row(text: str, problems: Sequence[str]) -> list[str]:
    name = problems[0] if len(problems) == 1 else f"{len(problems)} problems"
    return _wrapped(text, f"  {name:40.40}  ", " " * 44)


def _not_imported(done: Import) -> list[str]:
    refused = done.found.not_imported
    if not refused:
        return ["", "Every problem was imported."]
    counts = ", ".join(f"{kind} {number}" for kind, number in done.reasons.items())
    lines = ["", f"Not imported: {len(refused)} ({counts})"]
    for one in refused:
        lines += _row(one.reason, [one.problem])
    return lines


def _list(names: list[str] | tuple[str, ...]) -> list[str]:
    return textwrap.wrap(", ".join(names), _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _wrapped(text: str, first: str, later: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=first, subsequent_indent=later)
