"""The rules that need no understanding of a body: they change the launches of a verbatim program."""

import re
from dataclasses import dataclass, replace

from regrapht.transform.rules import BY_SLUG, PLAIN
from regrapht.transform.rules.application import DoesNotApply
from regrapht.transform.rules.decisions import Decision, Value

BODY, VERBATIM = "body", "verbatim"
"""The parameter of the plain mapping's decision by which a verbatim program is told from others."""
SETTINGS: dict[str, tuple[str, tuple[Value, ...]]] = {
    "block_size_tuning": ("block", ([256], [64], [512])),
    "grid_stride_loop": ("blocks", (1056, 528, 2112, 264)),
    "thread_coarsening": ("points", (2, 4, 8)),
    "restrict_read_only": ("", ()),
}
"""Rule -> its parameter with its values, in the order of attempts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launches:
    """What is decided of all launches of a program."""

    block: int = 128
    threads: int = 1 << 22
    """Of a launch at most."""
    points: int = 1
    restrict: bool = False


def first_decision() -> Decision:
    """The plain mapping of a verbatim program."""
    return Decision(technique=PLAIN, nests=(), parameters={BODY: VERBATIM})


def is_verbatim(decisions: tuple[Decision, ...]) -> bool:
    """Whether decisions are those of a verbatim program."""
    return bool(decisions) and decisions[0].parameters.get(BODY) == VERBATIM


def choices(decisions: tuple[Decision, ...], slug: str) -> list[Decision]:
    """The decisions that may follow by one rule, in the order of attempts; none where it does not apply."""
    if reason_against(decisions, slug) is not None:
        return []
    name, values = SETTINGS[slug]
    return [Decision(technique=slug, nests=(), parameters={name: value} if name else {}) for value in values or (0,)]


def reason_against(decisions: tuple[Decision, ...], slug: str) -> str | None:
    """Why a rule does not apply; None where it does."""
    if slug not in SETTINGS:
        return "it has to understand the body, which this program keeps as it is written"
    taken = {decision.technique for decision in decisions}
    if slug in taken:
        return "it was applied already"
    if {slug, *taken} >= {"grid_stride_loop", "thread_coarsening"}:
        return "threads take several turns already"
    return None


def launches(decisions: tuple[Decision, ...]) -> Launches:
    """What decisions come to.

    Raises:
        DoesNotApply: One of them is of a rule that verbatim programs have not, or has an unknown value.
    """
    found = Launches()
    for place, decision in enumerate(decisions[1:], start=1):
        if decision not in choices(decisions[:place], decision.technique):
            why = reason_against(decisions[:place], decision.technique) or "its parameter has no such value"
            raise DoesNotApply(f"{decision} does not apply: {why}")
        found = _with(found, decision)
    return found


def _with(found: Launches, decision: Decision) -> Launches:
    given = next(iter(decision.parameters.values()), 0)
    value = given[0] if isinstance(given, list) else given
    assert isinstance(value, int)
    match decision.technique:
        case "block_size_tuning":
            return replace(found, block=value)
        case "grid_stride_loop":
            return replace(found, threads=value * 256)
        case "thread_coarsening":
            return replace(found, points=value)
    return replace(found, restrict=True)


def first_line(entry: str, independence: str) -> str:
    """The first comment of a verbatim program."""
    return f"{entry}: turns of loops run side by side; independence {independence}."


def said_independence(source: str) -> str | None:
    """How a program's first comment says that independence is known; None for one that says nothing of it."""
    found = re.search(
        r"^// \w+: turns of loops run side by side; independence ([^\n]*)\.$", source[:2000], re.MULTILINE
    )
    return found[1] if found else None


def title_of(decision: Decision) -> str:
    """What a decision does, for the program's first comment."""
    return BY_SLUG[decision.technique].title
