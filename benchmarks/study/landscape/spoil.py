"""A small model, mimicked: a seeded share of the steps over a landscape fails, by technique family.

A step fails with its family's probability, which is drawn once a seed and task around the share asked for (Beta with `SPREAD` samples), so
that some families are harder than others. A failure is a build error or a wrong result, one as likely as the other. A share of the
failures is hopeless; otherwise each repair works with a probability of its own, and asking anew is an independent draw. The proportions
are those of the simulation that the searches' dials were first chosen with, and no measurement of any model.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

SPREAD = 8.0
"""Samples that a family's probability counts as: fewer make families more unlike."""


class Fault(StrEnum):
    """How a spoiled step fails."""

    BUILD = "build"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairs:
    """How repairs go."""

    hopeless: float = 0.3
    """Share of failures that no repair mends."""
    build: float = 0.55
    """Probability that one repair mends a build error that is not hopeless."""
    wrong: float = 0.425
    """As `build`, of a wrong result."""


@dataclass(slots=True, kw_only=True)
class Spoil:
    """Which steps fail. The same seed and task give the same failures to every search, whatever the order of its requests.

    Raises:
        ValueError: The share is not a probability below 1.
    """

    share: float
    seed: int
    task: str
    families: Mapping[str, str] = field(default_factory=dict)
    """The family of each technique; one that is not listed is a family of its own."""
    repairs: Repairs = field(default_factory=Repairs)
    _shares: dict[str, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise ValueError(f"the share of failed steps is from 0 to below 1, not {self.share}")

    def fault(self, techniques: tuple[str, ...], *key: object, ease: float = 1.0) -> Fault | None:
        """How the step that applies these techniques fails; None when it succeeds. `ease` multiplies each technique's probability."""
        if not self.share:
            return None
        chance = self._chance("step", techniques, *key)
        for technique in techniques:
            if chance.random() < ease * self.probability(technique):
                return Fault.BUILD if chance.random() < 0.5 else Fault.WRONG
        return None

    def is_hopeless(self, *key: object) -> bool:
        """Whether the failure under this key can be mended at all."""
        return self._chance("hopeless", *key).random() < self.repairs.hopeless

    def mends(self, fault: Fault, *key: object) -> bool:
        """Whether one repair of a failure that is not hopeless works."""
        share = self.repairs.build if fault is Fault.BUILD else self.repairs.wrong
        return self._chance("repair", *key).random() < share

    def probability(self, technique: str) -> float:
        """That a step with this technique fails."""
        family = self.families.get(technique, technique)
        if family not in self._shares:
            drawn = self._chance("family", family).betavariate(self.share * SPREAD, (1 - self.share) * SPREAD)
            self._shares[family] = drawn if self.share else 0.0
        return self._shares[family]

    def _chance(self, *key: object) -> random.Random:
        return random.Random(f"{self.seed}/{self.task}/{self.share}/{key}")
