"""From the names that authors give to techniques to the vocabulary's.

Slugs, titles and aliases are matched, whatever their case and punctuation; then the label that a model gave when the trajectory was
collected (see `construct.model_labels`). Nothing is guessed. A step whose name stays unknown loses its label and nothing else: its
program is still the one that the next step starts from.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from regrapht.graph.vocabulary import Vocabulary, name_key
from regrapht.records.technique import Area, Technique
from regrapht.records.trajectory import Step, Trajectory


class Match(StrEnum):
    """How a step got its label."""

    EXACT = "exact"
    ALIAS = "alias"
    MODEL = "model"
    OWN = "own"
    """Its author's words are the label: see `under_own_names`."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelled:
    """A trajectory whose steps carry the vocabulary's slugs, and how each step got its own."""

    trajectory: Trajectory
    matches: tuple[Match, ...]


def relabel(trajectory: Trajectory, vocabulary: Vocabulary) -> Relabelled:
    """The trajectory with `technique` set on each step, None where the vocabulary does not know the method's name.

    A `technique` that a step has already is a label that a model gave; it counts where the method's own name is unknown.
    """
    steps, matches = [], []
    for step in trajectory.steps:
        slug, match = _label(step, vocabulary)
        steps.append(replace(step, technique=slug))
        matches.append(match)
    return Relabelled(trajectory=replace(trajectory, steps=tuple(steps)), matches=tuple(matches))


def under_own_names(trajectories: Sequence[Trajectory], vocabulary: Vocabulary) -> tuple[Vocabulary, list[Relabelled]]:
    """The ablation without relabelling: every name is a technique of its own, but for slugs that are written to the letter.

    Returns the vocabulary of all these names and the trajectories in its words.
    """
    techniques: dict[str, Technique] = {}
    relabelled = []
    for trajectory in trajectories:
        steps, matches = [], []
        for step in trajectory.steps:
            known = vocabulary.techniques.get(step.method)
            slug = own_slug(step.method) if known is None else step.method
            techniques.setdefault(slug, known or _own_technique(slug, step.method))
            steps.append(replace(step, technique=slug))
            matches.append(Match.OWN if known is None else Match.EXACT)
        relabelled.append(Relabelled(trajectory=replace(trajectory, steps=tuple(steps)), matches=tuple(matches)))
    bare = {slug: replace(technique, aliases=(), title=slug) for slug, technique in techniques.items()}
    return Vocabulary(techniques=bare, features=vocabulary.features), relabelled


def own_slug(method: str) -> str:
    """A slug made of an author's own words: lower case, underscores, at most 64 characters, starting with a letter."""
    words = re.sub(r"[^a-z0-9]+", "_", method.casefold()).strip("_")[:60].strip("_")
    return words if re.match(r"[a-z]", words) else f"own_{words or 'technique'}"


def _own_technique(slug: str, method: str) -> Technique:
    text = " ".join(method.split())[:200]
    return Technique(slug=slug, title=slug, area=Area.ALGORITHM, meaning=text, condition="As its author saw fit.")


def _label(step: Step, vocabulary: Vocabulary) -> tuple[str | None, Match]:
    slug = vocabulary.resolve(step.method) if name_key(step.method) else None
    if slug is not None:
        return slug, Match.EXACT if step.method == slug else Match.ALIAS
    if step.technique in vocabulary.techniques:
        return step.technique, Match.MODEL
    return None, Match.UNKNOWN
