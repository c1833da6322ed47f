"""Outcomes of transitions: counting attempts, adding counts up, and the rates that a prior is made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from regrapht.graph.technique_graph import outcome_order
from regrapht.records.technique import Outcome, Transition


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRates:
    """What a set of outcomes says: shares of attempts, and the gain of those that were timed.

    A rate is None where there is nothing to divide by: unknown is not 0.
    """

    attempts: int
    built_share: float | None
    correct_share: float | None
    gain_log2_mean: float | None
    """Mean of log2(time before / time after)."""
    gain_log2_variance: float | None
    """Sample variance of the same; None below two timed attempts."""


def single_attempt(
    transition: Transition,
    *,
    device: str,
    proposer: str,
    built: bool,
    correct: bool,
    gain_log2: float | None = None,
    family: str | None = None,
    task_id: str | None = None,
    applied: Iterable[str] | None = None,
    provenance: str = "",
) -> Outcome:
    """The outcome of one attempt; `gain_log2` only of a correct attempt that was timed. `applied`: techniques before it, in any order."""
    timed = gain_log2 is not None
    return Outcome(
        transition=transition,
        device=device,
        proposer=proposer,
        family=family,
        task_id=task_id,
        applied=None if applied is None else tuple(sorted(set(applied))),
        provenance=provenance,
        attempts=1,
        built=int(built),
        correct=int(correct),
        gain_count=int(timed),
        gain_mean=gain_log2 if gain_log2 is not None else 0.0,
    )


def add_outcomes(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Outcomes that agree in all but their counts added up, sorted.

    The sums are exact and rounded once, so the order of the outcomes does not matter.
    """
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome_order(outcome), []).append(outcome)
    return tuple(_sum(groups[key]) for key in sorted(groups))


def rates(outcomes: Iterable[Outcome]) -> OutcomeRates:
    """The rates over all of these outcomes together, whatever their device, proposer or family."""
    found = tuple(outcomes)
    attempts = sum(o.attempts for o in found)
    count, mean, squares = _gain(found)
    return OutcomeRates(
        attempts=attempts,
        built_share=sum(o.built for o in found) / attempts if attempts else None,
        correct_share=sum(o.correct for o in found) / attempts if attempts else None,
        gain_log2_mean=mean if count else None,
        gain_log2_variance=squares / (count - 1) if count > 1 else None,
    )


def _sum(group: list[Outcome]) -> Outcome:
    if len(group) == 1:
        return group[0]
    first = group[0]
    count, mean, squares = _gain(group)
    return Outcome(
        transition=first.transition,
        device=first.device,
        proposer=first.proposer,
        family=first.family,
        task_id=first.task_id,
        applied=first.applied,
        provenance=first.provenance,
        attempts=sum(o.attempts for o in group),
        built=sum(o.built for o in group),
        correct=sum(o.correct for o in group),
        gain_count=count,
        gain_mean=mean,
        gain_m2=squares,
    )


def _gain(group: Iterable[Outcome]) -> tuple[int, float, float]:
    """Count, mean and sum of squared deviations of the groups together (Chan et al.), in exact arithmetic."""
    timed = [o for o in group if o.gain_count]
    count = sum(o.gain_count for o in timed)
    if not count:
        return 0, 0.0, 0.0
    mean = sum((o.gain_count * Fraction(o.gain_mean) for o in timed), Fraction()) / count
    squares = sum((Fraction(o.gain_m2) + o.gain_count * (Fraction(o.gain_mean) - mean) ** 2 for o in timed), Fraction())
    return count, float(mean), float(squares)
