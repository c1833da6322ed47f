"""From the names that authors give to techniques to the vocabulary's.

Slugs, titles and aliases are matched, whatever their case and punctuation; nothing is guessed. A step whose name stays unknown loses its
label and nothing else: its program is still the one that the next step starts from.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from regrapht.graph.vocabulary import Vocabulary
from regrapht.records.trajectory import Step, Trajectory


class Match(StrEnum):
    """How a step got its label."""

    EXACT = "exact"
    ALIAS = "alias"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """A trajectory whose steps carry the vocabulary's slugs, and how each step got its own."""

    trajectory: Trajectory
    matches: tuple[Match, ...]


def relabel(trajectory: Trajectory, vocabulary: Vocabulary) -> Relabelled:
    """The trajectory with `technique` set on each step, None where the vocabulary does not know the method's name."""
    steps, matches = [], []
    for step in trajectory.steps:
        slug = vocabulary.resolve(step.method)
        steps.append(replace(step, technique=slug))
        matches.append(_match(step, slug))
    return Relabelled(trajectory=replace(trajectory, steps=tuple(steps)), matches=tuple(matches))


def _match(step: Step, slug: str | None) -> Match:
    if slug is None:
        return Match.UNKNOWN
    return Match.EXACT if step.method == slug else Match.ALIAS
