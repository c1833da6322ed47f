"""What makes a difference in the application is left again, with the reason, and the rest stays."""

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.errors import ConfigError
from regrapht.records.measurement import Scale
from regrapht.session.port import porting
from regrapht.session.port.copies import Likeness, Ran
from regrapht.session.port.outcome import Row
from regrapht.session.port.porting import _Port, slower_than_one_core

BEFORE = Ran(exit_code=0, seconds=1.0, printed="1", files={})


def program(name: str, line: int) -> SimpleNamespace:
    task = SimpleNamespace(home=SimpleNamespace(name=name, line=line))
    return SimpleNamespace(interface=SimpleNamespace(name=name, task=task))


def row(name: str, line: int) -> Row:
    return Row(name=name, file="a.cpp", line=line, share=0.5, calls=1, taken=True, words="map_to_threads")


@pytest.mark.parametrize(
    ("bad", "together", "left"),
    [({"b"}, False, ["b"]), ({"a", "b", "c"}, False, ["a", "b", "c"]), (set(), True, ["a", "b", "c"])],
    ids=["one", "all", "only-together"],
)
def test_the_bad_ones_are_left(bad: set[str], together: bool, left: list[str]) -> None:
    port = _Port.__new__(_Port)
    tried = []

    def try_them(before, compiled, taken):
        names = [one.interface.name for one in taken]
        tried.append(names)
        wrong = bool(bad & set(names)) or (together and len(names) > 1)
        return Likeness(equal=not wrong, words="differs" if wrong else "exact"), BEFORE, None

    port._tried = try_them  # type: ignore[method-assign]
    programs = [program(name, line) for line, name in enumerate("abc")]
    rows = [row(name, line) for line, name in enumerate("abc")]
    kept, good, likeness, _, _ = port._without_bad(BEFORE, [], rows, programs, Likeness(equal=False, words="differs"))
    assert [one.name for one in kept if not one.taken] == left
    assert all("differs" in one.words for one in kept if not one.taken)
    assert [one.interface.name for one in good] == [name for name in "abc" if name not in left]
    assert likeness.equal and tried[:3] == [["a"], ["b"], ["c"]]


def test_what_a_compiler_stopped_at_is_left_without_trying_each() -> None:
    port = _Port.__new__(_Port)
    tried = []

    def try_them(before, compiled, taken):
        tried.append([one.interface.name for one in taken])
        return Likeness(equal=True, words="exact"), BEFORE, None

    port._tried = try_them  # type: ignore[method-assign]
    programs, rows = (
        [program(name, line) for line, name in enumerate("abc")],
        [row(n, line) for line, n in enumerate("abc")],
    )
    failed = Likeness(equal=False, words="it does not build: ported/regrapht/b/b.h:7:4: error: 'W' was not declared")
    kept, good, likeness, _, _ = port._without_bad(BEFORE, [], rows, programs, failed)
    assert tried == [["a", "c"]] and likeness.equal and [one.interface.name for one in good] == ["a", "c"]
    assert [(one.name, "W" in one.words) for one in kept if not one.taken] == [("b", True)]


def test_a_function_in_two_places_is_told_apart_by_its_line() -> None:
    port = _Port.__new__(_Port)
    port._tried = lambda before, compiled, taken: (  # type: ignore[method-assign]
        Likeness(equal=taken[0].interface.task.home.line != 2, words="differs"),
        BEFORE,
        None,
    )
    programs = [program("f", 1), program("g", 2)]
    rows = [row("f", 1), row("g", 2), row("g", 9)]
    kept, *_ = port._without_bad(BEFORE, [], rows, programs, Likeness(equal=False, words=""))
    assert [(one.name, one.line) for one in kept if not one.taken] == [("g", 2)]
    assert Path(kept[0].file).name == "a.cpp"


@pytest.mark.parametrize(
    ("costs", "noise", "kept", "words"),
    [
        ({"a": -4.0, "b": 1.0, "c": -1.0}, 0.0, ["a", "c"], ["6.000 s with it and 5.000 s without"]),
        ({"a": -4.0, "b": 0.05, "c": -1.0}, 0.0, ["a", "b", "c"], []),
        ({"a": 1.0, "b": 2.0, "c": 3.0}, 0.1, ["a"], ["14.000 s without", "11.000 s without"]),
        ({"a": -4.0, "b": 1.0, "c": -1.0}, 2.0, ["a", "b", "c"], []),
    ],
    ids=["one", "no difference", "none pays", "runs differ by more"],
)
def test_what_the_program_is_quicker_without_is_left(
    costs: dict[str, float], noise: float, kept: list[str], words: list[str]
) -> None:
    port = _Port.__new__(_Port)
    port.options = SimpleNamespace(seconds=None)  # type: ignore[assignment]
    port.say, port.stop, built, took = lambda words: None, threading.Event(), [list[str]()], [list[float]()]

    def try_them(before, compiled, taken):
        built[0] = [one.interface.name for one in taken]
        seconds = 10.0 + sum(costs[name] for name in built[0])
        took[0] = [seconds + noise, seconds, seconds + noise / 2]
        return Likeness(equal=True, words="exact"), BEFORE, None

    port._tried = try_them  # type: ignore[method-assign]
    port._timed = lambda copy: took[0]  # type: ignore[method-assign]
    programs = [program(name, line) for line, name in enumerate("abc")]
    shares = {"a": 0.6, "b": 0.1, "c": 0.3}
    rows = [replace(row(name, line), share=shares[name]) for line, name in enumerate("abc")]
    with_all = [10.0 + sum(costs.values()) + noise, 10.0 + sum(costs.values())]
    told, taken, seconds, _ = port._what_pays(BEFORE, [], rows, programs, with_all, None)
    assert [one.interface.name for one in taken] == kept == [one.name for one in told if one.taken]
    assert seconds == pytest.approx(10.0 + sum(costs[name] for name in kept))
    assert built[0] in ([], kept), "what is built last is what is kept"
    left = sorted((one for one in told if not one.taken), key=lambda one: shares[one.name])
    assert all(said in one.words for said, one in zip(words, left, strict=True))


@pytest.mark.parametrize(
    ("gained", "scale", "left"),
    [
        (0.0097, Scale.MEASURED_US, "0.0097 times as fast as one CPU core"),
        (1.0, Scale.MEASURED_US, None),
        (40.0, Scale.MEASURED_US, None),
        (None, Scale.MEASURED_US, None),
        (0.5, Scale.MODELLED, None),
    ],
)
def test_what_is_slower_than_one_core_is_left(gained: float | None, scale: Scale, left: str | None) -> None:
    found = slower_than_one_core(gained, scale)
    assert (found is None) if left is None else (found is not None and left in found)


@pytest.mark.parametrize("found", [True, False])
def test_programs_found_are_named_where_putting_back_fails(tmp_path: Path, monkeypatch, found: bool) -> None:
    """Minutes of search are not lost: the folders stay, and the line says where."""
    hot = SimpleNamespace(name="f")
    again = SimpleNamespace(again=BEFORE, ranked=lambda own, least: [hot])
    for name in ("functions_of", "working", "capture"):
        monkeypatch.setattr(porting, name, lambda *others: None)
    port = _Port.__new__(_Port)
    port.app = SimpleNamespace(project=tmp_path, database=None)  # type: ignore[assignment]
    port.options = SimpleNamespace(tolerance=None, least=0.1)  # type: ignore[assignment]
    port.say = lambda text: None
    taken = [SimpleNamespace(results=tmp_path / "results" / "f")] if found else []

    def fails(*others):
        raise ConfigError("a.cpp has changed since it was read: run port again")

    port.original = lambda: (BEFORE, ())  # type: ignore[method-assign]
    port.profiled = lambda own: again  # type: ignore[method-assign, assignment]
    port.optimised = lambda *others: ([], taken)  # type: ignore[method-assign, assignment]
    port.put_back = fails  # type: ignore[method-assign]
    with pytest.raises(ConfigError, match="has changed") as caught:
        port.whole()
    assert (str(tmp_path / "results" / "f") in str(caught.value)) == found and "\n" not in str(caught.value)
