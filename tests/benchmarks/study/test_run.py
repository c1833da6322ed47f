"""One search on one table: every search that is compared, budgets, and what a cell says."""

import random

import pytest
from study.ablations import PARTS, search_of
from study.landscape.spoil import Spoil
from study.methods import ABLATIONS, CONTROLS, DIALS, METHODS, Method, draws
from study.run import run_cell

from regrapht.errors import ConfigError
from regrapht.search import SEARCHES

BUDGETS = (3, 10, 25)


def spoil_of(table, share=0.4, seed=5):
    return Spoil(share=share, seed=seed, task=table.name)


@pytest.mark.parametrize("method", [*METHODS, *CONTROLS], ids=lambda method: method.name)
def test_every_method_runs_within_its_budget_and_repeats(world_table, method):
    one, other = (run_cell(world_table, method, seed=5, spoil=spoil_of(world_table), budgets=BUDGETS) for _ in range(2))
    assert (one.gains, one.judged, one.proposals) == (other.gains, other.judged, other.proposals)
    assert one.judged <= 25 and one.proposals <= 8 * 25
    noise = 0.08  # what is measured is not quite the truth, and the choice is by what is measured
    assert all(a <= b + noise for a, b in zip(one.gains, one.gains[1:], strict=False))
    assert min(one.gains) >= 0.0 and max(one.gains) <= world_table.best_gain
    assert one.key == (world_table.name, method.name, 5, 0.4)
    assert one.regret(10) == pytest.approx(world_table.best_gain - one.gains[1])


def test_no_search_is_left_out_without_a_word():
    worded_for_models = {"cot", "rag", "method-only", "no-hardware", "no-graph"}
    assert {method.search for method in (*METHODS, *CONTROLS)} | worded_for_models == set(SEARCHES.builtin)


def test_a_budget_is_a_prefix_of_a_larger_one(world_table):
    """Anytime: all budgets are read off one run."""
    for name in ("mcgs", "random-walk", "fsr", "best-of-n"):
        method = next(method for method in METHODS if method.name == name)
        long = run_cell(world_table, method, seed=3, spoil=spoil_of(world_table), budgets=(5, 40))
        short = run_cell(world_table, method, seed=3, spoil=spoil_of(world_table), budgets=(5,))
        assert long.gains[0] == short.gains[0], name


def test_every_search_meets_the_same_failures(world_table):
    """Spoil is the world's, not the search's: what fails for one fails for another."""
    first = world_table.first(0)
    for seed in range(5):
        one, other = (Spoil(share=0.5, seed=seed, task=world_table.name) for _ in range(2))
        techniques = list(world_table.techniques(first.program))
        shuffled = random.Random(seed).sample(techniques, len(techniques))
        faults = {t: one.fault((t,), first.program, 0) for t in techniques}
        assert faults == {t: other.fault((t,), first.program, 0) for t in shuffled} | faults
        assert {t: other.fault((t,), first.program, 0) for t in shuffled} == faults


@pytest.mark.parametrize("name", [*ABLATIONS, *PARTS])
def test_every_ablation_runs(world_table, name):
    if name in PARTS:
        method = Method(name=name, search=search_of(name))
    else:
        method = Method(name=name, search="mcgs", dials=ABLATIONS[name])
    assert run_cell(world_table, method, seed=1, spoil=spoil_of(world_table), budgets=(15,)).judged == 15


def test_an_ablation_changes_what_is_found(world_table):
    """Over a few seeds each part makes some difference; one that never does is not taken out at all."""
    base = Method(name="mcgs", search="mcgs")

    def found(method, **how):
        cells = [run_cell(world_table, method, seed=s, spoil=spoil_of(world_table, seed=s), **how) for s in range(3)]
        return [cell.gains for cell in cells]

    usual = found(base, budgets=(10, 60))
    for part in PARTS:
        assert found(Method(name=part, search=search_of(part)), budgets=(10, 60)) != usual, part
    assert found(base, budgets=(10, 60), merge=False) != usual


def test_dials_are_fields_of_the_settings_and_every_method_has_as_many_draws():
    for method in METHODS:
        drawn = draws(method, number=6, seed=1)
        assert drawn[0] == method and len(drawn) == (7 if method.search in DIALS else 1)
        assert drawn == draws(method, number=6, seed=1)
        assert all(dict(method.dials).items() <= dict(other.dials).items() for other in drawn)


def test_every_dial_value_is_accepted(world_table):
    for search, space in DIALS.items():
        for name, values in space.items():
            for value in values:
                method = Method(name=search, search=search, dials={name: value})
                assert run_cell(world_table, method, seed=1, budgets=(2,)).judged <= 2


def test_an_unknown_dial_is_refused(world_table):
    for dials in ({"speed": 1}, {"prior.speed": 1}):
        with pytest.raises(ConfigError, match="has no dial 'speed'"):
            run_cell(world_table, Method(name="m", search="mcgs", dials=dials), seed=1)
    with pytest.raises(ConfigError, match="no settings"):
        run_cell(world_table, Method(name="c", search="regrapht.search.search:Search", dials={"a": 1}), seed=1)
