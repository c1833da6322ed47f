"""Subscripts that a named lambda computes, as `at(i, j)`: read by what it returns where it stands."""

from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.infer import infer_task

LOOPS = "for (int j = 1; j + 1 < ny; ++j) for (int i = 1; i + 1 < nx; ++i)"
ROWS = {
    "a value": "const auto at = [nx](int i, int j) { return j * nx + i; };",
    "all by value": "const auto at = [=](int i, int j) { return j * nx + i; };",
    "by reference": "auto at = [&](int i, int j) { return j * nx + i; };",
    "a cast": "const auto at = [nx](int i, int j) -> std::size_t { return static_cast<std::size_t>(j * nx + i); };",
    "a constant of the function": "const int width = nx; const auto at = [width](int i, int j) { return j * width + i; };",
    "one of another": "const auto row = [nx](int j) { return j * nx; }; const auto at = [&](int i, int j) { return row(j) + i; };",
    "auto for parameters": "const auto at = [nx](auto i, auto j) { return j * nx + i; };",
}


def shape(tmp_path: Path, head: str) -> str:
    body = f"{LOOPS} out[at(i, j)] = in[at(i - 1, j)] + in[at(i, j + 1)];"
    file = tmp_path / "smooth.cpp"
    file.write_text(
        f"#include <cstddef>\nvoid smooth(double* out, const double* in, int nx, int ny) {{ {head} {body} }}\n"
    )
    task = infer_task(file, entry="smooth").task
    return next(str(arg.shape[0]) for arg in task.args if arg.name == "in")


@pytest.mark.parametrize("row", ROWS)
def test_it_is_as_if_it_were_written_there(tmp_path: Path, row: str) -> None:
    body = f"{LOOPS} out[j * nx + i] = in[j * nx + i - 1] + in[(j + 1) * nx + i];"
    (tmp_path / "plain.cpp").write_text(f"void smooth(double* out, const double* in, int nx, int ny) {{ {body} }}\n")
    wanted = infer_task(tmp_path / "plain.cpp", entry="smooth").task
    assert shape(tmp_path, ROWS[row]) == next(str(arg.shape[0]) for arg in wanted.args if arg.name == "in")


@pytest.mark.parametrize(
    "head",
    [
        "int w = nx; const auto at = [&](int i, int j) { return j * w + i; }; w += 3;",
        "int calls = 0; const auto at = [&](int i, int j) { calls += 1; return j * nx + i + calls; };",
    ],
)
def test_what_is_changed_meanwhile_is_not_taken_for_known(tmp_path: Path, head: str) -> None:
    with pytest.raises(TaskError, match="does not show the range"):
        shape(tmp_path, head)
