"""Pointers that walk, up to an end that the head of their loop keeps."""

from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.infer import infer_task

LOOPS = {
    "declared": "for (const double* e = x + n; x < e; x++, y++) *y += a * *x;",
    "first_of_two": "for (const double *e = x + n, *b = x; x < e; ++x) *y++ += a * *x;",
    "before": "const double* e = x + n; while (x < e) *y++ += a * *x++;",
    "other_pointer": "for (double* e = y + n; y < e; ++y) *y += a * *x++;",
}


@pytest.mark.parametrize("name", [name for name in LOOPS if name != "first_of_two"])
def test_an_end_in_the_head_of_the_loop_is_where_the_pointer_began(tmp_path: Path, name: str) -> None:
    (tmp_path / "axpy.cpp").write_text(f"void axpy(double a, const double* x, double* y, int n) {{ {LOOPS[name]} }}\n")
    task = infer_task(tmp_path / "axpy.cpp").task
    assert [(arg.name, [one.text for one in arg.shape]) for arg in task.args if arg.shape] == [
        ("x", ["n"]),
        ("y", ["n"]),
    ]


@pytest.mark.parametrize(
    "loop",
    [
        "for (const double* e = x + n; x < e; e = x + 1) *y++ += *x++;",
        "for (const double *e = x, *f = e; x < f; ++x, f = x + n) *y++ += *x;",
        LOOPS["first_of_two"],
    ],
)
def test_what_is_not_followed_ends_in_a_line_and_no_traceback(tmp_path: Path, loop: str) -> None:
    (tmp_path / "axpy.cpp").write_text(f"void axpy(double a, const double* x, double* y, int n) {{\n{loop} }}\n")
    try:
        infer_task(tmp_path / "axpy.cpp")
    except TaskError as error:
        assert "line 2" in str(error)
