"""A limited time is divided among functions by their share of the program's time, the hottest first, and none starves."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.records.run import Budget, RunOptions
from regrapht.session.port import porting
from regrapht.session.port.outcome import Row
from regrapht.session.port.porting import PortOptions, _Port
from regrapht.session.port.profile import Profile, Spent
from regrapht.session.port.time_shares import LEAST_S, TimeShares


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def divided(seconds: float | None, weights: dict[str, float], uses: dict[str, float]) -> dict[str, float | None]:
    """What each function is given, in order, where each takes so much of its part."""
    clock = Clock()
    shares = TimeShares(seconds, weights, clock)
    found = {}
    for name in weights:
        part = found[name] = shares.part_of(name)
        clock.now += (part or 0) * uses.get(name, 1.0)
        shares.done(name)
    return found


def test_the_hottest_has_most_and_none_starves() -> None:
    found = divided(600, {"a": 0.7, "b": 0.2, "c": 0.05, "d": 0.01}, {})
    parts = [found[name] for name in "abcd"]
    assert parts == sorted(parts, reverse=True) and parts[0] > 240
    assert min(parts) > 600 / 4 / 4 and sum(parts) == pytest.approx(600)


def test_what_one_leaves_goes_to_the_others() -> None:
    weights = {"a": 0.7, "b": 0.2, "c": 0.1}
    short, whole = divided(300, weights, {"a": 0.1}), divided(300, weights, {})
    assert short["a"] == whole["a"] and min(short[name] / whole[name] for name in "bc") > 1.9


def test_one_that_takes_longer_than_its_part_leaves_less_to_all_others() -> None:
    found = divided(300, {"a": 0.5, "b": 0.3, "c": 0.2}, {"a": 1.8})
    assert 0 < found["c"] < found["b"] < 60


@pytest.mark.parametrize(("uses", "last"), [(1.0, LEAST_S), (50.0, 0.0)])
def test_nothing_is_begun_with_no_time(uses: float, last: float) -> None:
    found = divided(11.0, {"a": 0.5, "b": 0.5}, {"a": uses})
    assert found["b"] == pytest.approx(5.5) if uses == 1 else found["b"] == last


def test_without_a_limit_there_is_none() -> None:
    assert divided(None, {"a": 1.0, "b": 0.0}, {}) == {"a": None, "b": None}


def test_preparing_counts_in_the_part() -> None:
    clock = Clock()
    shares = TimeShares(100, {"a": 0.5, "b": 0.5}, clock)
    shares.begin("a")
    assert shares.left_of("a") == 50
    clock.now += 45
    assert shares.left_of("a") == 5
    clock.now += 30
    assert shares.left_of("a") == 0
    shares.done("a")
    shares.begin("b")
    assert shares.left_of("b") == 25


def function(name: str) -> SimpleNamespace:
    return SimpleNamespace(usr=name, name=name, file=Path("a.cpp"), unit=Path("a.cpp"), users=(), line=1)


def made_up_task(name: str) -> SimpleNamespace:
    contract = SimpleNamespace(residency=SimpleNamespace(value="host"))
    return SimpleNamespace(entry=name, content_hash=name, contract=contract)


def test_a_port_gives_each_function_its_part(monkeypatch, tmp_path: Path) -> None:
    """Made-up functions and a made-up clock: hottest first, callees of what is taken cost nothing, what is late is said to be."""
    clock = Clock()
    monkeypatch.setattr(porting, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(porting, "checked_small", lambda task, sandbox: task)
    monkeypatch.setattr(porting, "not_callable", lambda interface: None)
    monkeypatch.setattr(porting, "Interface", lambda task, residency: SimpleNamespace(name=task.entry))
    monkeypatch.setattr(porting, "choose_sandbox", lambda **more: None)
    monkeypatch.setattr(
        porting,
        "replace",
        lambda one, **more: (
            SimpleNamespace(**(vars(one) | more)) if isinstance(one, SimpleNamespace) else replaced(one, **more)
        ),
    )
    port = _Port.__new__(_Port)
    port.options = PortOptions(
        project=tmp_path,
        build="",
        run="",
        out=tmp_path,
        run_options=RunOptions(budget=Budget(candidates=8)),
        seconds=200,
    )
    port.say, port.stop, port.began = lambda text: None, threading.Event(), clock()
    clock.now += 20  # building and profiling
    hot = [function(name) for name in ("hot", "inner", "warm", "cool", "last")]
    shares = {"hot": 0.8, "inner": 0.4, "warm": 0.1, "cool": 0.05, "last": 0.01}
    spent = {name: Spent(share=share, own=share, calls=1) for name, share in shares.items()}
    profiled = Profile(spent=spent, callers={"inner": frozenset({"hot"})}, how="made up")
    captures = SimpleNamespace(tasks={name: SimpleNamespace(task=made_up_task(name)) for name in shares}, refused={})
    given: dict[str, float] = {}

    def one(which, row: Row, *others):
        budget = port._budget(row.share, port.time.left_of(which.usr))
        given[which.name] = budget.seconds
        assert budget.candidates == (8 if row.share >= 0.05 else 3)
        clock.now += budget.seconds if which.name != "cool" else 500
        taken = SimpleNamespace(interface=SimpleNamespace(name=which.name))
        return row, taken

    port.done = SimpleNamespace(functions={}, of=lambda usr, task: {})  # type: ignore[assignment]
    port._one = one  # type: ignore[method-assign]
    rows, _ = port.optimised(hot, profiled, captures)
    assert list(given) == ["hot", "warm", "cool"] and given["hot"] > given["warm"] > 0
    assert {row.name: row.words for row in rows if row.words} == {
        "inner": "inside of what is taken",
        "last": "not tried: the time was up: a longer --seconds goes on with it",
    }

    port.time = TimeShares(1.0, {}, clock)  # resumed, and getting there took all the time: what is kept is kept
    folder = tmp_path / "results" / porting.slug_of(hot[0])
    folder.mkdir(parents=True)
    (folder / "hot.cu").touch()
    kept = {"task": "hot", "run": "r", "left": "", "taken": {"words": "kept"}}
    port.done = SimpleNamespace(functions={"hot": kept}, of=lambda usr, task: port.done.functions.get(usr, {}))
    port._shares = lambda *others: port.time  # type: ignore[method-assign]
    again, programs = port.optimised(hot, profiled, captures)
    assert [one.results for one in programs] == [folder]
    assert [row.words for row in again if row.name in ("hot", "warm")] == [
        "kept",
        "not tried: the time was up: a longer --seconds goes on with it",
    ]


replaced = porting.replace
