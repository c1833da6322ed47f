"""What an admission of a suite says to a person."""

from collections import Counter
from collections.abc import Sequence

from regrapht.bench.admit.admission import AdmittedTask
from regrapht.bench.suite import TIERS
from regrapht.wording import counted


def admission_line(task: AdmittedTask) -> str:
    """One task in a line: admitted or why not, and its tier with what it rests on."""
    tier = (
        f"{task.tier.tier} ({task.tier.counted} of {task.tier.steps} steps pay, {task.tier.basis.value})"
        if task.tier
        else "no tier"
    )
    if task.differs:
        tier += f"; the suite says {task.suite_tier}"
    became = "admitted" if task.is_admitted else "NOT admitted: " + "; ".join(task.objections)
    return f"{task.id:28} {task.family:14} {became}, {tier}"


def admission_summary(tasks: Sequence[AdmittedTask]) -> str:
    """Counts by tier and family, then what was not admitted, then what was not checked."""
    admitted = [task for task in tasks if task.is_admitted]
    tiers = Counter(task.tier.tier for task in admitted if task.tier)
    families = Counter(task.family for task in admitted)
    lines = [
        f"admitted: {len(admitted)} of {counted(len(tasks), 'task')}",
        "tiers: " + (", ".join(f"{tier} {tiers[tier]}" for tier in TIERS if tiers[tier]) or "not computed"),
        "families: " + ", ".join(f"{name} {count}" for name, count in sorted(families.items())),
    ]
    if provisional := sum(task.tier is not None and task.tier.basis.value == "modelled" for task in admitted):
        lines.append(f"provisional tiers: {provisional}, resting on modelled costs, not on measured times")
    if other := [task.id for task in admitted if task.differs]:
        lines.append(f"the suite says another tier of {', '.join(other)}: --write-tiers keeps the computed ones")
    lines += [f"not admitted: {task.id}: {objection}" for task in tasks for objection in task.objections]
    unchecked = Counter(what for task in tasks for what in task.unchecked)
    lines += [f"not checked, {counted(count, 'time')}: {what}" for what, count in unchecked.most_common(10)]
    return "\n".join(lines)
