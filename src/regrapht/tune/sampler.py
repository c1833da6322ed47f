"""Which setting to try next: all of them when they are few, else Optuna's tree-structured Parzen estimator. Seeded; reads no clock.

The same `learn`s give the same suggestions, so that a stored run can be repeated.
"""

import itertools
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from regrapht.errors import PrerequisiteMissing
from regrapht.tune.opening import OpenParameter, Setting

_STARTUP = 8
"""Settings drawn at random before the estimator has something to estimate from."""
_REPEATS = 60
"""Suggestions in a row that were known before: then one is drawn at random instead."""


def require_optuna() -> None:
    """Say how to mend it when Optuna is missing, before any work is spent.

    Raises:
        PrerequisiteMissing: It is not installed.
    """
    from importlib.util import find_spec

    if find_spec("optuna") is None:
        raise PrerequisiteMissing("tuning needs Optuna: pip install 'regrapht[tune]'")


class Sampler(ABC):
    """Suggests settings, each once, and learns what they cost."""

    def __init__(self, parameters: Sequence[OpenParameter]) -> None:
        self.parameters = tuple(parameters)
        self._known: set[tuple[str, ...]] = {tuple(parameter.start for parameter in parameters)}
        self._out: set[tuple[str, ...]] = set()

    def suggest(self) -> dict[str, str] | None:
        """A setting that was not suggested before; None when there is none left."""
        found = self._next()
        if found is None:
            return None
        self._out.add(found)
        return dict(zip((parameter.name for parameter in self.parameters), found, strict=True))

    def learn(self, setting: Setting, cost: float | None) -> None:
        """What a setting costs, above 0, less is better; None for one that is refused or not worth judging."""
        key = self._key(setting)
        self._out.discard(key)
        self._known.add(key)
        self._told(key, cost)

    def forget(self, setting: Setting) -> None:
        """Nothing became of a suggestion: it may be made again."""
        key = self._key(setting)
        self._out.discard(key)
        self._dropped(key)

    @abstractmethod
    def _next(self) -> tuple[str, ...] | None: ...

    @abstractmethod
    def _told(self, key: tuple[str, ...], cost: float | None) -> None: ...

    @abstractmethod
    def _dropped(self, key: tuple[str, ...]) -> None: ...

    def _is_new(self, key: tuple[str, ...]) -> bool:
        return key not in self._known and key not in self._out

    def _key(self, setting: Setting) -> tuple[str, ...]:
        return tuple(setting[parameter.name] for parameter in self.parameters)


class GridSampler(Sampler):
    """Every setting, those with the fewest changes from the start first."""

    def _next(self) -> tuple[str, ...] | None:
        return next((key for key in self._ordered() if self._is_new(key)), None)

    def _told(self, key: tuple[str, ...], cost: float | None) -> None:
        """Costs do not matter to the order."""

    def _dropped(self, key: tuple[str, ...]) -> None:
        """It is the first new one again."""

    def _ordered(self) -> Iterator[tuple[str, ...]]:
        every = itertools.product(*(parameter.values for parameter in self.parameters))
        start = [parameter.start for parameter in self.parameters]
        yield from sorted(every, key=lambda key: sum(a != b for a, b in zip(key, start, strict=True)))


class TpeSampler(Sampler):
    """Optuna's tree-structured Parzen estimator over the logarithm of the cost.

    Raises:
        PrerequisiteMissing: Optuna is not installed.
    """

    def __init__(self, parameters: Sequence[OpenParameter], *, seed: int) -> None:
        super().__init__(parameters)
        require_optuna()
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=_STARTUP)
        self._study = optuna.create_study(direction="minimize", sampler=sampler)
        self._distributions: dict[str, Any] = {
            parameter.name: optuna.distributions.CategoricalDistribution(parameter.values) for parameter in parameters
        }
        self._chance = random.Random(seed)
        self._trials: dict[tuple[str, ...], Any] = {}
        self._costs: dict[tuple[str, ...], float | None] = {}

    def _next(self) -> tuple[str, ...] | None:
        for _ in range(_REPEATS):
            trial = self._study.ask(self._distributions)
            key = self._key(trial.params)
            if self._is_new(key):
                self._trials[key] = trial
                return key
            self._tell(trial, self._costs.get(key))
        for _ in range(_REPEATS):
            key = tuple(self._chance.choice(parameter.values) for parameter in self.parameters)
            if self._is_new(key):
                return key
        return None

    def _told(self, key: tuple[str, ...], cost: float | None) -> None:
        self._costs[key] = cost
        trial = self._trials.pop(key, None)
        if trial is not None:
            self._tell(trial, cost)
        elif cost is not None:
            import optuna

            params = dict(zip((parameter.name for parameter in self.parameters), key, strict=True))
            self._study.add_trial(
                optuna.trial.create_trial(params=params, distributions=self._distributions, value=math.log(cost))
            )

    def _dropped(self, key: tuple[str, ...]) -> None:
        import optuna

        trial = self._trials.pop(key, None)
        if trial is not None:
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)

    def _tell(self, trial: Any, cost: float | None) -> None:
        """A refused setting is told as pruned, which the estimator takes for a bad one."""
        import optuna

        if cost is None:
            self._study.tell(trial, state=optuna.trial.TrialState.PRUNED)
        else:
            self._study.tell(trial, math.log(cost))


def sampler_for(parameters: Sequence[OpenParameter], *, budget: int, seed: int) -> Sampler:
    """All settings where the budget holds them all, else the estimator."""
    if math.prod(len(parameter.values) for parameter in parameters) - 1 <= budget:
        return GridSampler(parameters)
    return TpeSampler(parameters, seed=seed)
