"""How surely steps are labelled: a second reader's labels against the corpus's, with which techniques are taken for which.

The second reader is any language model, asked as `collect` asks for unknown names, and blind: it is shown a step's words and code without
the name that the author gave. Labels are compared as they stand; two names for one thing count as a difference.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from regrapht.construct.model_labels import ModelLabeller
from regrapht.construct.trajectory_reply import UNNAMED
from regrapht.graph.vocabulary import Vocabulary
from regrapht.llm.client import LanguageModel
from regrapht.records.trajectory import Step

NO_LABEL = "(none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Two readers' labels of the same steps."""

    steps: int
    agreed: int
    kappa: float | None
    """Cohen's: agreement beyond chance, 1 for full. None where chance alone would agree on everything."""
    confused: Mapping[tuple[str, str], int]
    """Steps by first and second label where they differ, the most frequent first; `NO_LABEL` where a reader gave none."""
    by_technique: Mapping[str, tuple[int, int]]
    """For each label of the first reader, the steps and those that the second labelled alike; the most frequent first."""

    @property
    def share(self) -> float:
        return self.agreed / self.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindLabels:
    """A model's labels of steps that have one already."""

    slugs: tuple[str | None, ...]
    kinds: Mapping[str, int]
    """Answers by kind, as `model_labels.Label.kind`; the most frequent first."""


def agreement(first: Sequence[str | None], second: Sequence[str | None]) -> Agreement:
    """Share and kappa, and which labels are taken for which.

    Raises:
        ValueError: There are no labels, or not as many of both readers.
    """
    pairs = [(a or NO_LABEL, b or NO_LABEL) for a, b in zip(first, second, strict=True)]
    if not pairs:
        raise ValueError("agreement needs a step at least")
    agreed = sum(a == b for a, b in pairs)
    of_first, of_second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(count * of_second[label] for label, count in of_first.items()) / len(pairs) ** 2
    alike = Counter(a for a, b in pairs if a == b)
    return Agreement(
        steps=len(pairs),
        agreed=agreed,
        kappa=None if chance == 1 else (agreed / len(pairs) - chance) / (1 - chance),
        confused=_sorted(Counter((a, b) for a, b in pairs if a != b)),
        by_technique={label: (count, alike[label]) for label, count in _sorted(of_first).items()},
    )


def blind_labels(steps: Sequence[Step], model: LanguageModel, vocabulary: Vocabulary) -> BlindLabels:
    """What a model calls each step, from all its words and its code but the author's name for the technique.

    Every step is one call. A technique that the model declares new is known to it from then on, as in a collection.

    Raises:
        ModelUnavailable, ModelRefused: As the model's.
    """
    labeller = ModelLabeller(model, vocabulary)
    labels = [labeller.label(replace(step, method=UNNAMED, technique=None)) for step in steps]
    return BlindLabels(slugs=tuple(one.slug for one in labels), kinds=_sorted(Counter(one.kind for one in labels)))


def _sorted(counts: Counter[Any]) -> dict[Any, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
