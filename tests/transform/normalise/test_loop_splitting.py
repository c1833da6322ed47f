"""Loops cut at the turn of the loop around them: shortest paths and their like have a thread an element, in the source's order."""

import pytest

from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = (
    "#include <algorithm>\n// shape: d = n*n\n// shape: r = n*n\n// init: r = ints(0, 2)\n"
    "// check: n=1; n=2; n=3; n=17; n=33\n"
)
LOOPS = "for (int k = 0; k < n; ++k) for (int i = 0; i < n; ++i)"
CUT = {
    "a condition": f"{LOOPS} for (int j = 0; j < n; ++j) if (d[i * n + k] + d[k * n + j] < d[i * n + j])"
    " d[i * n + j] = d[i * n + k] + d[k * n + j];",
    "a minimum": f"{LOOPS} for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);",
    "the widest way": f"{LOOPS} for (int j = 0; j < n; ++j)"
    " d[i * n + j] = std::max(d[i * n + j], std::min(d[i * n + k], d[k * n + j]));",
    "who reaches whom": f"{LOOPS} for (int j = 0; j < n; ++j)"
    " r[i * n + j] = r[i * n + j] || (r[i * n + k] && r[k * n + j]);",
    "from one on": "for (int k = 1; k < n; ++k) for (int i = 1; i < n; ++i) for (int j = 1; j < n; ++j)"
    " d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);",
    "what it went through": f"{LOOPS} for (int j = 0; j < n; ++j) if (d[i * n + k] + d[k * n + j] < d[i * n + j])"
    " { d[i * n + j] = d[i * n + k] + d[k * n + j]; r[i * n + j] = (unsigned char)k; }",
}
ROWS = {
    "a local": f"{LOOPS} {{ const float a = d[i * n + k]; for (int j = 0; j < n; ++j)"
    " { const float c = a + d[k * n + j]; if (c < d[i * n + j]) d[i * n + j] = c; } }",
    "a row skipped": f"{LOOPS} {{ const float a = d[i * n + k]; if (a > 0.8f) continue; for (int j = 0; j < n; ++j)"
    " { const float c = a + d[k * n + j]; if (c < d[i * n + j]) d[i * n + j] = c; } }",
}
"""A local hands what column `k` was from one part of a row to the next: a thread a row."""
STAYS = {
    "other bounds": "for (int k = 0; k < n; ++k) for (int i = 0; i < n - 1; ++i) d[i + 1] = d[i] + d[k];",
    "a running value": f"{LOOPS} d[i] = i > 0 ? d[i - 1] + d[k] : d[k];",
    "a bound that changes": "int m = n; for (int k = 0; k < m; ++k) for (int i = 0; i < m; ++i)"
    " { d[i] = std::min(d[i], d[k] + 1); if (d[i] < 0 && m > 1) m = m - 1; }",
}


def task_of(make_task, body: str):
    return make_task(text_of(body), "f", bench_sizes=({"n": 512},))


def text_of(body: str) -> str:
    return f"{HEAD}void f(int n, float* d, unsigned char* r) {{\n{body}\n}}"


@pytest.mark.parametrize("name", CUT)
def test_every_element_has_a_thread(name, make_task):
    nests = analyse(task_of(make_task, CUT[name])).nests
    assert any(nest.parallel == ["i", "j"] for nest in nests)
    assert all(nest.parallel and nest.host_loops == ("k",) for nest in nests)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_has_a_thread(name, make_task):
    nests = analyse(task_of(make_task, ROWS[name])).nests
    assert all(nest.parallel and nest.host_loops == ("k",) for nest in nests)


@pytest.mark.parametrize("name", STAYS)
def test_what_stays(name, make_task):
    assert not any(nest.parallel for nest in analyse(task_of(make_task, STAYS[name])).nests)


def test_they_are_right(make_task):
    """Values below zero on the diagonal change the row and the column that the others read."""

    def timed(text: str, entry: str):
        return make_task(text, entry, bench_sizes=({"n": 512},))

    assert_same(timed, {name: text_of(body) for name, body in (CUT | ROWS | STAYS).items()})
