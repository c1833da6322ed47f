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
