"""The elements of a constant array of the file are what it lists."""

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.infer import infer_task

CODE = """\
{table}
void gather(const float* in, float* out, int n) {{
    for (int i = 0; i < n; ++i)
        for (int q = 0; q < 3; ++q) out[3 * i + q] = in[{index}];
}}
"""


@pytest.mark.parametrize(
    ("table", "index", "shape"),
    [
        ("static const int to[3] = {2, 0, 1};", "3 * i + to[q]", "3 * n"),
        ("constexpr int to[] = {4, 0, 1};", "to[q]", "5"),
        ("const int to[9] = {1, 2};", "to[q]", "3"),
        ("static const int to[3] = {-1, 0, 1};", "i + 1 + to[q]", "n + 2"),
    ],
)
def test_an_array_is_as_long_as_they_reach(tmp_path, table, index, shape):
    (tmp_path / "gather.cpp").write_text(CODE.format(table=table, index=index))
    arg = infer_task(tmp_path / "gather.cpp", entry="gather").task.args[0]
    assert " * ".join(extent.text for extent in reversed(arg.shape)) in (shape, f"({shape})"), arg.shape


@pytest.mark.parametrize("table", ["const float to[3] = {0.5f, 1, 2};", "int to[3] = {0, 1, 2};"])
def test_what_is_no_constant_whole_number_has_no_range(tmp_path, table):
    (tmp_path / "gather.cpp").write_text(CODE.format(table=table, index="(int)to[q]"))
    try:
        found = infer_task(tmp_path / "gather.cpp", entry="gather").task
    except TaskError:
        return
    assert "to" in [arg.name for arg in found.args]
