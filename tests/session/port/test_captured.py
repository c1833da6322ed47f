"""Shapes and ranges of a real run take the place of guessed ones, and no size is above what the run had."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from regrapht.records.task import Rounding, Task
from regrapht.records.user_code import BuildFlags, FlatPlace, Home
from regrapht.session.port.captured import as_captured, equal_numbers, read_calls, recording, with_captured
from regrapht.tasks.infer import infer_task

SOURCE = """\
void blend(const float* a, float* b, const int* at, int n, int band, double w) {
    float kept[64];
    for (int k = 0; k < band; ++k) kept[k] = a[k];
    for (int i = 0; i < n; ++i) b[i] = (float)w * a[at[i]] + kept[i % band];
}
"""


@pytest.fixture
def task(tmp_path: Path) -> Task:
    (tmp_path / "blend.cpp").write_text(SOURCE)
    return infer_task(tmp_path / "blend.cpp").task


def call(number: int, n: int, *, w: float = 0.5, low: float = -2.0) -> dict[str, object]:
    arrays = {
        "a": {"count": 100, "low": low, "high": 3.0, "finite": True, "ascending": False, "saved": number},
        "at": {"count": n, "low": 0, "high": 7, "finite": True, "ascending": True, "saved": number},
    }
    return {"call": number, "numbers": {"n": n, "band": 8, "w": w}, "arrays": arrays}


def written(folder: Path, *calls: dict[str, object]) -> Path:
    file = folder / "f.calls"
    file.write_text("".join(json.dumps(one) + "\n" for one in calls))
    return file


def test_ranges_and_shapes_are_those_of_the_run(task: Task, tmp_path: Path) -> None:
    calls = read_calls(written(tmp_path, call(0, 20), call(1, 12, w=0.75, low=-4.0)))
    found = with_captured(task, calls)
    by_name = {arg.name: arg for arg in found.args}
    assert by_name["a"].init is not None and by_name["a"].init.parameters == {"low": -4.0, "high": 3.0}
    assert by_name["w"].init is not None and by_name["w"].init.parameters == {"low": 0.5, "high": 0.75}
    assert found.bench_sizes == ({"n": 20, "band": 8},)
    assert all(row["band"] <= 8 and row["n"] <= 20 for row in found.check_sizes), found.check_sizes
    assert {"n": 20, "band": 8} in found.check_sizes and "band <= 8" in found.require
    assert found.contract.rounding is Rounding.SEPARATE, "its output is compared with what a compiler for x86-64 makes"


def test_a_number_that_never_changed_is_varied(task: Task, tmp_path: Path) -> None:
    found = with_captured(task, read_calls(written(tmp_path, call(0, 20), call(1, 20))))
    init = next(arg.init for arg in found.args if arg.name == "w")
    assert init is not None and init.parameters == {"low": 0.375, "high": 0.625}


def test_a_call_becomes_a_case_where_all_of_it_was_kept(task: Task, tmp_path: Path) -> None:
    for name, values in (("a", np.ones(100, np.float32)), ("at", np.arange(20, dtype=np.int32))):
        np.save(tmp_path / f"f.{name}.0.npy", values)
    (whole,) = read_calls(written(tmp_path, call(0, 20)))
    case = as_captured(task, whole, tmp_path, "f")
    assert case is not None and case.check_sizes == ({"n": 20, "band": 8},) and not case.hidden_sizes
    assert next(arg.value for arg in case.args if arg.name == "w") == 0.5
    short = call(0, 20)
    short["arrays"]["at"]["count"] = 3  # type: ignore[index]
    assert as_captured(task, read_calls(written(tmp_path, short))[0], tmp_path, "f") is None
    lost = call(0, 20)
    del lost["arrays"]["at"]["saved"]  # type: ignore[index]
    assert as_captured(task, read_calls(written(tmp_path, lost))[0], tmp_path, "f") is None


def test_numbers_of_one_name_that_are_always_equal_become_one() -> None:
    places = tuple(FlatPlace(name=name, expression=name) for name in ("h_nx", "h_ny", "u_nx", "v_nx", "nx"))
    home = Home(file="a", line=1, body_line=1, body_column=1, name="f", declaration="", places=places)

    def calls(*rows: tuple[int, ...]):
        names = [place.name for place in places]
        return [
            type("Call", (), {"numbers": dict(zip(names, row, strict=True)), "arrays": {}, "call": n})()
            for n, row in enumerate(rows)
        ]

    assert equal_numbers(home, calls((4, 4, 4, 5, 9), (6, 4, 6, 6, 9))) == (("u_nx", "h_nx"),)
    assert equal_numbers(home, calls((4, 4, 4, 4, 4))) == (("u_nx", "h_nx"), ("v_nx", "h_nx"))
    assert equal_numbers(home, []) == ()


def test_what_cannot_be_named_in_the_function_is_not_recorded(tmp_path: Path) -> None:
    """A copy that does not build with a record of one function would lose that of all."""
    pytest.importorskip("clang.cindex")
    (tmp_path / "model.cpp").write_text("""\
#include <vector>
class Cells {
public:
    double& at(int i) { return v[i]; }
    void swap(Cells& other) { v.swap(other.v); }
private:
    std::vector<double> v{1, 2, 3};
};
class Model {
public:
    void step(int n) { for (int i = 0; i < n; ++i) next.at(i) = 2 * now.at(i); now.swap(next); }
private:
    Cells now, next;
};
""")
    task = infer_task(tmp_path / "model.cpp", entry="Model::step", flags=BuildFlags(standard="c++17")).task
    assert task.home is not None
    hidden = {place.name for place in task.home.places if place.hidden}
    text = recording("step", task.home, task)
    assert hidden and not any(re.search(rf"\b{name}\b", text) for name in hidden) and '"n"' in text
