"""A subscript kept inside an array by two conditions, in whatever order and spelling, is as good as `std::clamp`."""

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.infer import infer_task

SPELLINGS = (
    "i < 0 ? 0 : i >= n ? n - 1 : i",
    "i < 0 ? 0 : (i > n - 1 ? n - 1 : i)",
    "0 > i ? 0 : i < n ? i : n - 1",
    "i >= 0 ? (i < n ? i : n - 1) : 0",
    "i >= n ? n - 1 : i < 0 ? 0 : i",
    "n <= i ? n - 1 : 0 <= i ? i : 0",
    "i > n - 1 ? n - 1 : i <= 0 ? 0 : i",
)
BROKEN = (
    "i < 0 ? 0 : i >= n ? i : n - 1",
    "i < -5 ? 0 : i >= n ? n - 1 : i",
    "i < 0 ? 0 : j >= n ? n - 1 : i",
)
CODE = """\
inline int inside(int i, int n, int j) {{ return {}; }}
void blur(const float* in, float* out, int n) {{
    for (int x = 0; x < n; ++x) out[x] = in[inside(x - 2, n, x)] + in[inside(x + 2, n, x)];
}}
"""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_clamp_keeps_the_subscript_inside(tmp_path, spelling):
    (tmp_path / "blur.cpp").write_text(CODE.format(spelling))
    task = infer_task(tmp_path / "blur.cpp", entry="blur").task
    assert [extent.text for extent in task.args[0].shape] == ["n"], task.args[0]


@pytest.mark.parametrize("spelling", BROKEN)
def test_what_is_no_clamp_does_not(tmp_path, spelling):
    (tmp_path / "blur.cpp").write_text(CODE.format(spelling))
    try:
        shape = infer_task(tmp_path / "blur.cpp", entry="blur").task.args[0].shape
    except TaskError:
        return
    assert [extent.text for extent in shape] != ["n"], "an access outside of the array was not seen"


@pytest.mark.parametrize(
    ("written", "least"),
    [
        ("std::clamp(x - 3, 0, n - 2)", 2),
        ("x - 3 < 0 ? 0 : x - 3 > n - 2 ? n - 2 : x - 3", 2),
        ("std::clamp(x - 3, 1, n - 4)", 5),
        ("std::clamp(x - 3, 0, n - 1)", 1),
        ("std::max(0, std::min(x - 3, n - 2))", 1),
    ],
)
def test_sizes_at_which_the_bounds_of_a_clamp_cross_are_not_tried(tmp_path, written, least):
    """There the code itself would read outside of its array."""
    text = "#include <algorithm>\nvoid f(const float* in, float* out, int n, int m) {\n"
    text += f"    for (int x = 0; x < m; ++x) {{ const int i = {written}; out[x] = in[i] + in[std::min(i + 1, n - 1)]; }}\n}}\n"
    (tmp_path / "f.cpp").write_text(text)
    task = infer_task(tmp_path / "f.cpp", entry="f").task
    assert min(row["n"] for row in task.check_sizes) == least
    assert least == 1 or any(str(one).replace(" ", "") == f"n>={least}" for one in task.require), task.require
