"""A small part of a suite that stands for all of it: as many tasks of each tier, their families in turn, chosen by names alone."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from regrapht.errors import ConfigError

if TYPE_CHECKING:
    from regrapht.bench.suite import SuiteTask


def balanced(tasks: Sequence["SuiteTask"], per_tier: int) -> tuple["SuiteTask", ...]:
    """`per_tier` tasks of every tier that occurs, in the order of their ids.

    The families of a tier take turns until there are enough. Which of its tasks a family gives first, and which family begins, is decided
    by hashes of names, so that nobody chooses: the same suite with the same tiers always gives the same tasks.

    Raises:
        ConfigError: A tier has fewer tasks, or none of the tasks has a tier.
    """
    found: list[SuiteTask] = []
    tiers = dict.fromkeys(task.tier for task in tasks if task.tier is not None)
    if not tiers:
        raise ConfigError("these tasks have no tiers, so no number of each can be chosen")
    for tier in tiers:
        of_tier = [task for task in tasks if task.tier == tier]
        if len(of_tier) < per_tier:
            raise ConfigError(f"there are {len(of_tier)} tasks of the tier {tier}, not {per_tier}")
        found += _in_turns(of_tier, tier)[:per_tier]
    return tuple(sorted(found, key=lambda task: task.task.id))


def _in_turns(tasks: Iterable["SuiteTask"], tier: str) -> list["SuiteTask"]:
    families: dict[str, list[SuiteTask]] = {}
    for task in sorted(tasks, key=lambda task: _drawn(task.task.id)):
        families.setdefault(task.family, []).append(task)
    begins = sorted(families, key=lambda family: _drawn(f"{tier} {family}"))  # not the same ones in every tier
    turns = zip_longest(*(families[family] for family in begins))
    return [task for task in chain.from_iterable(turns) if task is not None]


def _drawn(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
