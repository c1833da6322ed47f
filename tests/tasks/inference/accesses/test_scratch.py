"""Memory that a function makes for itself keeps the timed sizes small, as its arrays do."""

import pytest

from regrapht.tasks.infer import infer_task

CODE = """#include <cstdlib>
#include <vector>
int f(const int* a, int n, const int* b, int m) {{
    {made}
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i] == b[j];
    return s;
}}
"""


@pytest.mark.parametrize(
    ("made", "most"),
    [
        ("", 2**15),
        ("std::vector<int> t(n + m, 0);", 2**15),
        ("std::vector<int> t((n + 1) * (m + 1), 0);", 4096),
        ("const int w = m + 1; std::vector<int> t((n + 1) * w); t[0] = 1;", 4096),
        ("std::vector<std::vector<int>> t(n + 1, std::vector<int>(m + 1, 0));", 4096),
        ("int* t = new int[n * m]; delete[] t;", 4096),
        ("double* t = (double*)malloc(n * m * sizeof(double)); free(t);", 4096),
    ],
)
def test_timed_sizes(made, most, tmp_path):
    path = tmp_path / "f.cpp"
    path.write_text(CODE.format(made=made))
    (timed,) = infer_task(path).task.bench_sizes
    assert timed == {"n": most, "m": most}


@pytest.mark.parametrize(
    ("made", "length"),
    [
        ("std::vector<double> old(x, x + total);", "total >= h * w"),
        ("std::vector<double> old(total); for (int k = 0; k < total; k++) old[k] = x[k];", "total >= h * w"),
        ("std::vector<double> old(w * h, 1.0); for (int k = 0; k < total; k++) x[k] = 0;", None),
    ],
)
def test_a_copy_is_as_long_as_what_is_read_of_it(made, length, tmp_path):
    """One size says how long a vector is, two others how much of it is used: no shape has less than that."""
    path = tmp_path / "f.cpp"
    path.write_text(
        f"""#include <vector>
void f(double* x, int total, int w, int h) {{
    {made}
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) x[j * w + i] = 0.5 * old[j * w + i];
}}
"""
    )
    task = infer_task(path).task
    assert (length in task.require) == (length is not None)
    if length is not None:
        assert all(row["total"] >= row["w"] * row["h"] for row in (*task.check_sizes, *task.bench_sizes))
        assert any(row["total"] > row["w"] * row["h"] for row in task.check_sizes)
