"""Suggestions: each once, the same for the same costs, better than chance, and none where all are known."""

import itertools
import math
import random

import pytest

from regrapht.errors import PrerequisiteMissing
from regrapht.tune import sampler as sampler_module
from regrapht.tune.opening import OpenParameter
from regrapht.tune.sampler import GridSampler, Sampler, TpeSampler, require_optuna, sampler_for

VALUES = tuple(map(str, range(8)))
CUBE = tuple(OpenParameter(name=name, values=VALUES, start="0") for name in "abcd")


def cost(setting: dict[str, str]) -> float:
    """Least at a = 5, b = 3; c and d hardly matter."""
    a, b, c, d = (int(setting[name]) for name in "abcd")
    return math.exp((a - 5) ** 2 / 4 + (b - 3) ** 2 / 4 + 0.01 * (c + d))


def drive(sampler: Sampler, count: int) -> list[tuple[str, ...]]:
    sampler.learn(dict.fromkeys("abcd", "0"), cost(dict.fromkeys("abcd", "0")))
    found = []
    for _ in range(count):
        setting = sampler.suggest()
        if setting is None:
            break
        found.append(tuple(setting.values()))
        sampler.learn(setting, cost(setting))
    return found


def test_a_small_space_is_searched_completely_from_the_start_outwards():
    parameters = (
        OpenParameter(name="a", values=("1", "2"), start="2"),
        OpenParameter(name="b", values=("x", "y", "z"), start="y"),
    )
    sampler = sampler_for(parameters, budget=5, seed=0)
    assert isinstance(sampler, GridSampler)
    found = [tuple(sampler.suggest().values()) for _ in range(5)]
    assert sampler.suggest() is None
    assert set(found) == set(itertools.product(("1", "2"), ("x", "y", "z"))) - {("2", "y")}
    assert [sum((a != "2", b != "y")) for a, b in found] == [1, 1, 1, 2, 2]


def test_a_large_space_goes_to_the_estimator():
    assert isinstance(sampler_for(CUBE, budget=30, seed=0), TpeSampler)


@pytest.mark.parametrize("seed", [1, 2])
def test_no_setting_twice_and_the_same_seed_gives_the_same(seed):
    first, second = drive(TpeSampler(CUBE, seed=seed), 40), drive(TpeSampler(CUBE, seed=seed), 40)
    assert first == second and len(set(first)) == len(first) == 40
    assert ("0",) * 4 not in first


def test_it_finds_better_settings_than_chance():
    def least(found):
        return min(cost(dict(zip("abcd", key, strict=True))) for key in found)

    guided = [least(drive(TpeSampler(CUBE, seed=seed), 40)) for seed in range(6)]
    blind = [
        least([tuple(random.Random(f"{seed}/{n}").choice(VALUES) for _ in range(4)) for n in range(40)])
        for seed in range(6)
    ]
    print("guided", guided, "by chance", blind)
    assert math.prod(guided) < math.prod(blind)


def test_refused_settings_are_learnt_from_and_forgotten_ones_may_come_again():
    sampler = TpeSampler(CUBE, seed=3)
    sampler.learn(dict.fromkeys("abcd", "0"), 1.0)
    for _ in range(12):
        sampler.learn(sampler.suggest(), None)
    grid = GridSampler((OpenParameter(name="a", values=("1", "2"), start="1"),))
    suggested = grid.suggest()
    assert grid.suggest() is None
    grid.forget(suggested)
    assert grid.suggest() == suggested


def test_an_exhausted_space_ends():
    parameters = tuple(OpenParameter(name=name, values=("1", "2"), start="1") for name in "ab")
    sampler = TpeSampler(parameters, seed=0)
    found = set()
    while (setting := sampler.suggest()) is not None:
        found.add(tuple(setting.values()))
        sampler.learn(setting, 1.0)
    assert len(found) == 3


def test_without_optuna_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(PrerequisiteMissing, match=r"pip install 'regrapht\[tune\]'"):
        require_optuna()
    assert sampler_module.GridSampler(CUBE).suggest() is not None
