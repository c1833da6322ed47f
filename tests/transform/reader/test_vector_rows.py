"""Vectors of vectors whose rows have one length: one buffer, row behind row; other ones are refused."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = """#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>
using Table = std::vector<std::vector<float>>;
// shape: x = n * m
// shape: y = n * m
// check: n=1,m=1; n=33,m=7; n=13,m=50
"""
HELPERS = """
float total(const std::vector<float>& row) { float s = 0; for (float v : row) s += v; return s; }
void scale(std::vector<float>& row, float by) { for (size_t k = 0; k < row.size(); k++) row[k] *= by; }
float first_of(const float* row, int m) { return row[0] + row[m - 1]; }
"""
COPY = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) t[i][k] = x[i * m + k];"
BACK = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i * m + k] = t[i][k];"
DECLARED = "std::vector<std::vector<float>> t(n, std::vector<float>(m));"
RIGHT = {
    "a table": """
        std::vector<std::vector<int>> t(n + 1, std::vector<int>(m + 1, 0));
        for (int i = 1; i <= n; i++) for (int k = 1; k <= m; k++)
            t[i][k] = x[(i - 1) * m + k - 1] > 0 ? t[i - 1][k - 1] + 1 : std::max(t[i - 1][k], t[i][k - 1]);
        for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i * m + k] = t[i + 1][k + 1];""",
    "a name for its type": "Table t(n, std::vector<float>(m, 2.5f)); t[n / 2][m / 2] = x[0];" + BACK,
    "lengths that change later": "int w = m; std::vector<std::vector<float>> t(n, std::vector<float>(w, 1.0f)); w = 0;"
    + COPY
    + "y[0] = t[n - 1][m - 1] + t.size() + t[0].size() + w;",
    "names of rows": DECLARED
    + COPY
    + "for (int i = 0; i < n; i++) { auto& row = t[i]; for (int k = 0; k < m; k++) y[i * m + k] = row[m - 1 - k]; }",
    "loops over rows": DECLARED
    + COPY
    + "int at = 0; for (auto& row : t) for (float& v : row) v += 1; for (const auto& row : t) { y[at * m] = row[0]; at++; }",
    "rows that are handed on": DECLARED
    + COPY
    + "for (int i = 0; i < n; i++) { scale(t[i], 0.5f); y[i * m] = total(t[i]) + first_of(t[i].data(), m); }",
    "ranges of rows": DECLARED
    + COPY
    + "for (int i = 0; i < n; i++) { std::fill(t[i].begin(), t[i].begin() + m / 2, 3.0f);"
    " y[i * m] = std::accumulate(t[i].begin(), t[i].end(), 0.0f) + t[i].front() + t[i].back() + t[i].at(m / 2); }",
    "a row copied": DECLARED + COPY + "std::vector<float> last = t[n - 1]; last[0] += 1; t[0] = last;" + BACK,
    "a closure": DECLARED + COPY + "auto at = [&](int i, int k) -> float { return i < 0 || k < 0 ? 0.0f : t[i][k]; };"
    " for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i * m + k] = at(i - 1, k) + at(i, k - 1);",
    "tables that change places": DECLARED
    + "Table u(n, std::vector<float>(m));"
    + COPY
    + "for (int s = 0; s < 3; s++) { for (int i = 0; i < n; i++) for (int k = 0; k < m; k++)"
    " u[i][k] = t[i][k] + 0.5f * t[i][k > 0 ? k - 1 : 0]; std::swap(t, u); }" + BACK,
}
REFUSED = {
    "rows of several lengths": "std::vector<std::vector<float>> t(n); for (int i = 0; i < n; i++) t[i].resize(i + 1); y[0] = t[0][0];",
    "rows that grow": DECLARED + "t[0].push_back(1); y[0] = t[0][m];",
    "more rows": DECLARED + "t.push_back(std::vector<float>(m)); y[0] = t[n][0];",
    "another table": DECLARED + "Table u(n, std::vector<float>(m, 1)); t = u;" + BACK,
    "copies of rows in a loop": DECLARED + COPY + "for (auto row : t) { row[0] = 5; y[0] += row[0]; }" + BACK,
    "a copy by auto": DECLARED + COPY + "auto row = t[0]; row[0] = 5; y[1] = row[0];" + BACK,
    "rows that change places": DECLARED + COPY + "std::swap(t[0], t[n - 1]);" + BACK,
    "the places of rows": DECLARED + COPY + "std::fill(t.begin(), t.end(), std::vector<float>(m));" + BACK,
}


def text(body: str) -> str:
    return f"{HEAD}{HELPERS}void f(int n, int m, const float* x, float* y) {{ {body} }}\n"


def test_the_candidates_do_what_the_functions_do(make_task):
    assert_same(make_task, {name: text(body) for name, body in RIGHT.items()})


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_one_buffer_is_refused(name, make_task):
    with pytest.raises(CannotTransform):
        analyse(make_task(text(REFUSED[name]), "f"))
