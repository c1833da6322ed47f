"""The methods of a study: a search by name with values for its dials, and what values tuning may draw."""

import random
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from regrapht.errors import ConfigError
from regrapht.search import SEARCHES
from regrapht.search.context import SearchContext
from regrapht.search.search import Search

Dials = Mapping[str, Any]
"""Values by field of the search's settings; `prior.exponent` is a field of the settings' `prior`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One row of a study's table."""

    name: str
    search: str
    dials: Dials = field(default_factory=dict)

    def open(self, context: SearchContext) -> Search:
        """The search, fresh.

        Raises:
            UnknownName: There is no such search.
            ConfigError: It has no such dial.
        """
        kind = SEARCHES.load(self.search)
        return kind(context, with_dials(_settings_class(kind)(), self.dials)) if self.dials else kind(context)

    def with_values(self, dials: Dials) -> "Method":
        """The method with these dials beside its own; its own count first."""
        return replace(self, dials={**dials, **self.dials})


def with_dials(settings: Any, dials: Dials) -> Any:
    """Settings with some fields changed.

    Raises:
        ConfigError: There is no such field.
    """
    for name, value in dials.items():
        first, _, rest = name.partition(".")
        if not is_dataclass(settings) or first not in {f.name for f in fields(settings)}:
            raise ConfigError(f"{type(settings).__name__} has no dial {name!r}")
        old = getattr(settings, first)
        new = with_dials(old, {rest: value}) if rest else type(old)(value) if isinstance(old, Enum) else value
        settings = replace(settings, **{first: new})  # type: ignore[type-var]
    return settings


def _settings_class(kind: Any) -> Any:
    hint = typing.get_type_hints(kind.__init__).get("settings")
    options = [option for option in typing.get_args(hint) or (hint,) if is_dataclass(option)]
    if not options:
        raise ConfigError(f"{kind.__name__} has no settings, and so no dials")
    return options[0]


METHODS = (
    Method(name="mcgs", search="mcgs", dials={"enough": None}),
    Method(name="greedy-chain", search="greedy-chain", dials={"enough": None}),
    Method(name="mcgs-paper", search="mcgs-paper", dials={"continued": True}),
    Method(name="mcgs-paper-10", search="mcgs-paper"),
    Method(name="random-walk", search="random-walk"),
    Method(name="fsr", search="fsr"),
    Method(name="best-of-n", search="best-of-n"),
    Method(name="rethink-mcts", search="rethink-mcts"),
    Method(name="mcts-rag", search="mcts-rag"),
    Method(name="direct", search="direct"),
)
"""`cot` and `rag` are worded differently for a model; without one they are `best-of-n`, and so left out."""

CONTROLS = (
    Method(name="shuffled-graph", search="shuffled-graph", dials={"enough": None}),
    Method(name="no-prior", search="no-prior", dials={"enough": None}),
    Method(name="no-repair", search="no-repair", dials={"enough": None}),
)
"""`no-graph`, `method-only` and `no-hardware` differ from `no-prior` and `mcgs` in what a model is shown, which replay has none of."""

ABLATIONS: Mapping[str, Dials] = {
    "prior: uniform": {"prior.uniform_share": 1.0},
    "prior: no uniform share": {"prior.uniform_share": 0.0},
    "prior: exponent 0.4": {"prior.exponent": 0.4},
    "prior: exponent 1.2": {"prior.exponent": 1.2},
    "no in-run correction": {"correction_rate": 0.0},
    "no recovery": {"recoveries": 0},
    "one recovery": {"recoveries": 1},
    "mean backup": {"backup": "mean"},
    "exploration 0.1": {"exploration": 0.1},
    "exploration 2": {"exploration": 2.0},
    "widening: every visit": {"attempts_scale": 1.0, "attempts_power": 1.0},
    "widening: one attempt": {"attempts_scale": 0.0},
}
"""What is changed of `mcgs`, one thing at a time. Those that need code of their own are in `ablations`."""

_PRIOR_DIALS: Mapping[str, Sequence[Any]] = {
    "prior.exponent": (0.4, 0.6, 0.8, 1.0, 1.3),
    "prior.uniform_share": (0.0, 0.1, 0.15, 0.25, 0.4, 0.6),
    "prior.repeat_factor": (0.1, 0.25, 0.5, 1.0),
    "recoveries": (0, 1, 2, 3, 5),
    "correction_rate": (0.0, 1.0, 2.0, 4.0),
}
_TREE_DIALS: Mapping[str, Sequence[Any]] = {
    "exploration": (0.1, 0.25, 0.5, 1.0, 2.0),
    "exploration_count": ("visits", "asks"),
    "backup": ("max", "mean"),
    "attempts_scale": (0.0, 0.1, 0.3, 1.0),
    "attempts_power": (0.3, 0.5, 0.7),
}
DIALS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "mcgs": {**_PRIOR_DIALS, **_TREE_DIALS},
    "greedy-chain": _PRIOR_DIALS,
    "mcgs-paper": {
        "penalty": (0.0, 0.1, 0.5, 1.0, 2.0),
        "chance_of_random": (0.0, 0.1, 0.3, 0.5),
        "rollout_steps": (0, 1, 2, 4, 6),
        "depth": (4, 8, 12),
        "largest_return": (False, True),
    },
    "random-walk": {"attempts": (1, 2, 3, 5), "depth": (3, 5, 8, 14)},
    "fsr": {"candidates": (1, 2, 3, 4, 5, 8, 10)},
    "rethink-mcts": {
        "width": (2, 3, 5, 8),
        "constant": (0.25, 1.0, 4.0),
        "rethinks": (0, 1, 2, 3),
        "depth": (4, 8, 14),
    },
    "mcts-rag": {"weight": (0.25, 0.5, 1.0, 2.0), "depth": (2, 3, 5, 8), "samples": (1, 2, 3, 5)},
}
"""What tuning draws from, by search. A search that is not listed has no dial that replay could tune."""


def draws(method: Method, *, number: int, seed: int) -> list[Method]:
    """The method as it stands, and so many more with dials drawn at random; the same number for every method that has any."""
    space = {name: values for name, values in DIALS.get(method.search, {}).items() if name not in method.dials}
    if not space:
        return [method]
    chance = random.Random(f"dials/{method.name}/{seed}")
    drawn = [{name: chance.choice(list(values)) for name, values in space.items()} for _ in range(number)]
    return [method, *(method.with_values(dials) for dials in drawn)]
