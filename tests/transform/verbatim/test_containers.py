"""What turns hold of their own, containers above all, under whatever name it is written: right in the emulator, taken by nvcc."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE

HEAD = """
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <queue>
#include <stack>
#include <string>
#include <utility>
#include <vector>
typedef std::vector<int32_t> Row;
using Rows = std::vector<Row>;
template <class T> using Held = std::vector<T>;
struct Job {
    int rank, number;
    bool operator<(const Job& o) const { return rank != o.rank ? rank < o.rank : number > o.number; }
};
template <class Before> class Window {
public:
    void take(int v) {
        while (!kept_.empty() && Before{}(v, kept_.back())) kept_.pop_back();
        kept_.push_back(v);
    }
    int first() const { return kept_.front(); }

private:
    std::deque<int> kept_;
};
struct Lower { bool operator()(int a, int b) const { return a < b; } };
static Row doubled(const Row& from) {
    Row to(from.size());
    for (size_t i = 0; i < from.size(); ++i) to[i] = 2 * from[i];
    return to;
}
template <class Pick> static Row picked(const Row& from, Pick pick) {
    Row to(from.size());
    for (size_t i = 0; i < from.size(); ++i) to[i] = pick(from[i], 3);
    return to;
}
static int served(const int32_t* rank, int count) {
    std::priority_queue<Job> waiting;
    int last = 0;
    for (int k = 0; k < count; ++k) {
        waiting.push({rank[k], k});
        if (k % 3 == 2) { last = 10 * last % 1000 + waiting.top().number; waiting.pop(); }
    }
    while (!waiting.empty()) { last = (7 * last + waiting.top().number) % 1000; waiting.pop(); }
    return last;
}
struct Table {
    const int32_t* from;
    int32_t* to;
    void put(int at) { to[at] = from[at] + 1; }
};
"""
BODIES = {
    "a table of vectors outside of the loop": "std::vector<std::vector<int>> t(4, std::vector<int>(5, 1)); "
    "for (int i = 0; i < n; ++i) { for (int r = 1; r < 4; ++r) for (int c = 1; c < 5; ++c) "
    "t[r][c] = t[r - 1][c] + (a[i] + r) * t[r][c - 1] % 7; out[i] = t[3][4]; }",
    "vectors of a turn in a vector": "for (int i = 0; i < n; ++i) { Rows r(3); for (int k = 0; k < 9; ++k) r[k % 3].push_back(a[i] + k); "
    "r.push_back(r[0]); r.resize(2); r.resize(3); out[i] += r[1].back() + (int)r[2].size(); }",
    "one turn that holds nearly all": "std::vector<double> all; for (int i = 0; i < n; ++i) { all.clear(); "
    "const int most = i == n - 1 ? 8 * n : a[i] % 3; for (int k = 0; k < most; ++k) all.push_back(k * 0.5); "
    "double s = 0; for (double x : all) s += x; out[i] += (int32_t)std::fmod(s, 1000.0); }",
    "an alias of a vector, which a function gives": "Row x(b, b + n); const Row y = doubled(x); "
    "for (int i = 0; i < n; ++i) out[i] += y[i];",
    "an alias with a parameter": "for (int i = 0; i < n; ++i) { Held<int32_t> v{a[i], 2, 3}; out[i] += v[0] * (int)v.size(); }",
    "an alias in the function": "using Own = std::vector<int>; for (int i = 0; i < n; ++i) { Own v(3, a[i]); v.insert(v.begin() + 1, 5); "
    "v.erase(v.begin()); out[i] += v[0] + v[1]; }",
    "a queue": "for (int i = 0; i < n; ++i) { std::queue<int> q; for (int k = 0; k < 20; ++k) { q.push(a[i] + k); "
    "if (k % 3) q.pop(); } out[i] += q.front() + 3 * (int)q.size(); }",
    "a deque at both ends": "for (int i = 0; i < n; ++i) { std::deque<int> d; for (int k = 0; k < 12; ++k) { d.push_front(k); "
    "d.push_back(a[i] - k); if (k % 4 == 3) { d.pop_front(); d.pop_back(); } } out[i] += d.front() * 3 + d.back() + d[5]; }",
    "a stack": "for (int i = 0; i < n; ++i) { std::stack<int> s; for (int k = 0; k <= a[i]; ++k) s.push(k); s.pop(); "
    "out[i] += s.empty() ? -1 : s.top(); }",
    "a priority queue in a function": "for (int i = 0; i < n / 8; ++i) out[i] += served(b + 8 * i, 8);",
    "a priority queue that gives the least": "for (int i = 0; i < n / 8; ++i) { "
    "std::priority_queue<int, std::vector<int>, std::greater<int>> q; "
    "for (int k = 0; k < 8; ++k) q.push(b[8 * i + k]); q.pop(); out[i] += q.top(); }",
    "an object with a deque": "for (int i = 0; i < n / 8; ++i) { Window<Lower> w; "
    "for (int k = 0; k < 8; ++k) w.take(b[8 * i + k]); out[i] += w.first(); }",
    "complex numbers": "using cd = std::complex<double>; for (int i = 0; i < n; ++i) { const cd z(a[i] + 1, 2), w = z * cd(0, 1) - 3.0; "
    "cd u = w / z + std::conj(z); u *= 2.0; out[i] += (int32_t)std::floor(1000 * (u.real() + std::abs(w) + std::norm(z)) + 0.5); }",
    "an object whose function is not const": "Table t{a, aux}; for (int i = 0; i < m; ++i) t.put(i);",
    "a lambda handed to a function with loops": "const Row x(a, a + n), "
    "y = picked(x, [](int32_t v, int32_t by) { return std::min(v, by); }); "
    "for (int i = 0; i < n; ++i) out[i] += y[i];",
    "text of numbers": "char line[40]; for (int i = 0; i < n; ++i) { "
    'int used = snprintf(line, sizeof line, "%04x|%-5d|%u;%c%s%%", (unsigned)(b[i] * 31), 3 - a[i], (unsigned)b[i], 65 + a[i] % 26, "ab"); '
    'used += std::snprintf(line + used, 3, "%3d", -b[i]); for (int k = 0; line[k] != 0; ++k) out[i] = out[i] * 7 + line[k]; '
    "out[i] += used; }",
    "halves": "for (int i = 0; i < n; ++i) { const _Float16 h = (_Float16)(a[i] + 0.25f); out[i] += (int32_t)(4 * (float)h); }",
}  # fmt: skip
SHORTENED = """
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>
using namespace std;
static int twice(int v) { return max(2 * v, v); }
"""
SHORT_BODY = (
    "for (int i = 0; i < n / 8; ++i) { vector<int> r(b + 8 * i, b + 8 * i + 8); sort(r.begin(), r.end()); "
    "out[i] = twice(r[3]) + accumulate(r.begin(), r.end(), 0); }"
)


PARTS = range(3)


def everything(function_task, part: int | None = None):
    bodies = [body for k, body in enumerate(BODIES.values()) if part is None or k % len(PARTS) == part]
    return function_task(HEAD + SIGNATURE + " {\n" + "\n".join(f"{{ {body} }}" for body in bodies) + "\n}\n")


@pytest.mark.parametrize("part", PARTS)
def test_the_emulator_finds_each_right(function_task, observer, bench, part):
    task = everything(function_task, part)
    found = verbatim(task, observer)
    assert not found.serial
    assert bench.differences(task, found.text([found.independence], Launches())) == []


def test_nvcc_takes_each(function_task, observer):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    for task in (everything(function_task), function_task(f"{SHORTENED}{SIGNATURE} {{ {SHORT_BODY} }}\n")):
        text = verbatim(task, observer).text([], Launches())
        built = compiles(text, choose_sandbox(), nvcc)
        assert built.content is not None, built.completed.stderr[-2000:]


def test_names_that_a_using_shortens(function_task, observer, bench):
    task = function_task(f"{SHORTENED}{SIGNATURE} {{ {SHORT_BODY} }}\n")
    found = verbatim(task, observer)
    assert not found.serial and bench.differences(task, found.text([], Launches())) == []


def test_one_thread_has_scratch_memory_too(function_task, observer, bench):
    """A vector in what no threads run: beside a loop that has them."""
    body = (
        "for (int i = 0; i < n; ++i) out[i] = a[i]; "
        "for (int i = 1; i < n; ++i) { std::vector<int> v(3, out[i - 1]); v.push_back(a[i]); out[i] = (v[1] + v[3]) % 17; }"
    )
    task = function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n")
    found = verbatim(task, observer)
    assert len(found.serial) == 1 and bench.differences(task, found.text([], Launches())) == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("std::map<int, int> c; c[a[i]] = 1; out[i] = (int)c.size();", "'std::map' has no form"),
        ("std::string s(3, 'x'); s += 'y'; out[i] = (int)s.size();", "'std::string' has no form"),
        ("std::list<int> l; l.push_back(a[i]); out[i] = l.front();", "'std::list' has no form"),
        ("std::function<int(int)> f = [](int v) { return v; }; out[i] = f(a[i]);", "'std::function' has no form"),
        ("out[i] = counted(a[i]);", "'std::map' has no form"),
        ("out[i] = outer[i] + a[i];", "'outer', a std::deque from outside of the loop"),
        ("out[i] = word[a[i] % 2];", "'word', a std::string from outside of the loop"),
    ],
)
def test_what_has_no_form_in_device_code_is_refused_with_its_line(function_task, body, why):
    counted = "static int counted(int v) { std::map<int, int> c; ++c[v]; return (int)c.size(); }\n"
    before = f'{HEAD}{counted}{SIGNATURE} {{\nstd::deque<int> outer(b, b + n); std::string word = "ab";\n#pragma omp parallel for\n'
    task = function_task(f"{before}for (int i = 0; i < n; ++i) {{ {body} }}\n}}\n")
    with pytest.raises(CannotTransform, match=why) as refused:
        verbatim(task, None)
    where = "static int counted" if "counted" in body else "for (int i = 0; i < n; ++i) { " + body
    lines = task.reference.source.text.splitlines()
    assert refused.value.line == 1 + next(k for k, line in enumerate(lines) if line.startswith(where))


def test_a_lambda_that_captures_is_not_handed_over(function_task):
    body = (
        "const int by = m; const Row x(a, a + n), y = picked(x, [by](int32_t v, int32_t) { return v + by; });\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; ++i) out[i] += y[i];"
    )
    with pytest.raises(CannotTransform, match="a lambda that captures something is handed to a function with loops"):
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n"), None)


HOSTS = """
struct Grid { int side; float gain; const int32_t* from; std::vector<int32_t> own; };
static void add(const Grid& g, int32_t* to, int n) { for (int i = 0; i < n; ++i) to[i] += g.from[i % g.side]; }
"""
HOSTS_BODY = """
    size_t size = 2;
    while (size < 2 * (size_t)n) size *= 2;
    std::vector<Grid> grids;
    for (int side = m;; side = (side + 1) / 2) {
        Grid grid{side, 1.0f, a, std::vector<int32_t>(side, 3)};
        grids.push_back(std::move(grid));
        if (side < 2) break;
    }
    for (size_t k = 1; k < grids.size(); ++k) grids[k].from = grids[k].own.data();
    for (size_t k = 0; k < grids.size(); ++k) add(grids[k], out, n);
    for (int i = 0; i < n; ++i) out[i] += (int32_t)(size % 1000);
"""


def test_loops_of_what_the_host_holds_stay_the_hosts(function_task, observer, bench):
    """A power of two above a size, a list of levels and pointers in it: no kernel, and no thread alone."""
    task = function_task(f"{HEAD}{HOSTS}{SIGNATURE} {{{HOSTS_BODY}}}\n")
    found = verbatim(task, observer)
    text = found.text([], Launches())
    assert not found.serial and "once_" not in text
    assert bench.differences(task, text) == []
    nvcc = find_nvcc()
    if nvcc is not None:
        built = compiles(text, choose_sandbox(), nvcc)
        assert built.content is not None, built.completed.stderr[-2000:]


def test_containers_that_the_host_holds_are_not_handed_to_a_kernel(function_task):
    before = "std::vector<std::vector<int>> rows(3, std::vector<int>(4, 1));\n#pragma omp parallel for\n"
    body = "for (int i = 0; i < n; ++i) out[i] = rows[i % 3][i % 4];"
    with pytest.raises(CannotTransform, match="'rows' holds containers from outside of the loop"):
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{ {before}{body} }}\n"), None)
