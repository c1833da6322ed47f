"""Functions that return structs and vectors: what a call of the flat one makes is what they return."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.patch import hooked
from regrapht.report.delivery.sources import header, sequential
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_task

pytest.importorskip("clang.cindex")

HEADER = """\
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#define PER_POINT 3
namespace orchard {
enum class Ripe { no, nearly, yes };
struct Yield { double mean; int count; };
struct Crop { Yield yield; bool good; Ripe ripe; };
struct Rows {
    int rows = 0, columns{2};
    std::vector<double> values;
    std::vector<int> marks, unused;
    int size() const { return (int)marks.size(); }
};
struct Leaf { float x, y; };
struct Plane {
    int wide{}, high{};
    std::vector<float> cells;
    Plane() = default;
    Plane(int w, int h) : wide{w}, high{h}, cells(static_cast<std::size_t>(w) * h) {}
    float& operator()(int x, int y) { return cells[(std::size_t)y * wide + x]; }
};
class Tree {
public:
    explicit Tree(int n) : apples_(n) { for (int i = 0; i < n; ++i) apples_[i] = i % 7; }
    std::vector<double> weights(double each) const;
    Yield harvest() const;
private:
    std::vector<int> apples_;
};
template <class T> class Held {
public:
    explicit Held(int n) : held_(n) { for (int i = 0; i < n; ++i) held_[i] = i; }
    int size() const { return (int)held_.size(); }
    T& operator()(int i) { return held_[i]; }
    std::vector<T>& all() { return held_; }
    const std::vector<T>& all() const { return held_; }
private:
    std::vector<T> held_;
};
class Patch {
public:
    explicit Patch(int n) : rows_(n) {}
protected:
    int rows_;
    double step_ = 0.5;
};
class Orchard : public Patch {
public:
    explicit Orchard(int n) : Patch(n), crops_(n * 2) {}
    void grow(double by);
    void renewed(int n);
    const std::vector<double>& crops() const { return crops_; }
    static std::size_t place(int row, int column) { return row * 2 + column; }
private:
    std::vector<double> crops_;
};
class View {
public:
    View(double* data, int high, int wide) : data_(data), high_(high), wide_(wide) {}
    double& operator()(int row, int column) const { return data_[row * wide_ + column]; }
    int extent(int dimension) const { return dimension == 0 ? high_ : wide_; }
private:
    double* data_;
    int high_, wide_;
};
struct Total { double sum = 0.0; std::array<int, 4> bins{}; };
}
"""
FUNCTIONS = """\
static unsigned following(unsigned& state) { state = state * 77u + 12345u; return state >> 16; }
Yield listed(const std::vector<double>& v, int n) {
    double sum = 0; for (int i = 0; i < n; ++i) sum += v[i]; return {sum / n, n};
}
Yield named(const std::vector<double>& v, int n) {
    Yield y{0.0, 0}; for (int i = 0; i < n; ++i) if (v[i] > 0) { y.mean += v[i];
    ++y.count; } return y;
}
Yield two_ways(const std::vector<double>& v, int n) {
    double sum = 0; for (int i = 0; i < n; ++i) sum += v[i]; if (sum < 0) return Yield{-1.0, 0};
    return {sum, n};
}
Crop nested(const std::vector<double>& v, int n) {
    Crop c{{0.0, n}, false, Ripe::no}; for (int i = 0; i < n; ++i) c.yield.mean += v[i];
    c.good = c.yield.mean > 2; c.ripe = c.good ? Ripe::yes : Ripe::nearly;
    return c;
}
std::pair<int, double> paired(const std::vector<double>& v, int n) {
    int at = 0; double best = v[0]; for (int i = 1; i < n; ++i) if (v[i] > best) { best = v[i];
    at = i; } return {at, best};
}
auto made_pair(const std::vector<double>& v, int n) -> std::pair<double, double> {
    double low = v[0], high = v[0]; for (int i = 1; i < n; ++i) { low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high; } return std::make_pair(low, high);
}
std::vector<double> walked(const std::vector<Leaf>& leaves, int each) {
    std::vector<double> w;
    for (const Leaf& l : leaves)
        for (int k = 0; k < each; ++k) {
            w.push_back(l.x * k);
            w.push_back(l.y);
        }
    return w;
}
std::vector<double> rowed(const std::vector<std::vector<double>>& rows, double by) {
    std::vector<double> sums(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const auto& row = rows[r];
        for (std::size_t k = 0; k < row.size(); ++k) sums[r] += by * row[k];
    }
    return sums;
}
double ranged(std::vector<std::array<double, 3>>& points) {
    double sum = 0;
    for (auto& point : points) {
        point[0] += 0.5;
        for (double x : point) sum += x;
    }
    return sum;
}
std::vector<double> lifted(Held<double>& held, const Held<double>& by) {
    std::vector<double> before(held.size());
    for (int i = 0; i < held.size(); ++i) {
        before[i] = held(i);
        held(i) += by.all()[i] * 2;
    }
    return before;
}
Rows drawn(int count, unsigned seed) {
    Rows r{count, 1, std::vector<double>(count)};
    for (double& x : r.values) x = following(seed) * 0.5;
    return r;
}
std::vector<int> counted(const std::vector<double>& v, int n, int bins) {
    std::vector<int> c(bins); for (int i = 0; i < n; ++i) c[i % bins] += v[i] > 0 ? 2 : 1;
    return c;
}
std::vector<double> ones(const std::vector<double>& v) {
    std::vector<double> o(v.size(), 1.0); for (std::size_t i = 1; i + 1 < v.size(); ++i) o[i] = 0.5 * (v[i - 1] + v[i + 1]);
    return o;
}
std::vector<double> doubled(const std::vector<double>& v) {
    std::vector<double> d = v; for (double& x : d) x *= 2; return d;
}
Rows swept(int n, double by) {
    Rows r;
    r.values.resize(n * PER_POINT);
    r.marks.resize(r.values.size());
    double state = by;
    for (double& value : r.values) { state = 0.5 * state + 1; value = state; }
    for (int& mark : r.marks) mark = 3;
    return r;
}
Rows resized(int n, double by) {
    Rows r; r.rows = n; r.values.resize(n * PER_POINT); r.marks.assign(n, 4);
    for (int i = 0; i < n * PER_POINT; ++i) r.values[i] = by * i;
    return r;
}
Rows aggregate(int n, int m) {
    const int whole = n * m; Rows r{n, m, std::vector<double>(whole, 2.0)};
    for (int j = 0; j < r.rows; ++j) for (int i = 0; i < r.columns; ++i) r.values[j * r.columns + i] += i - j;
    return r;
}
Rows copied(const Rows& of, double by) {
    Rows made = of; for (int i = 0; i < of.rows; ++i) made.values[i] = by - of.values[i];
    ++made.columns; return made;
}
Plane painted(int w, int h, float by) {
    Plane p(w, h); for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) p(x, y) = by * x - y;
    return p;
}
std::vector<Leaf> leaves(const std::vector<double>& v, int n) {
    std::vector<Leaf> l(n); for (int i = 0; i < n; ++i) { l[i].x = (float)v[i];
    l[i].y = (float)i; } return l;
}
std::vector<double> appended(const std::vector<double>& v, int n) {
    std::vector<double> a; a.reserve(n); for (int i = 0; i < n; ++i) { const double x = v[i];
    a.push_back(x * x); } return a;
}
Rows grid(int n, int m) {
    Rows g; for (int j = 1; j <= m; ++j) for (int i = 0; i < n; ++i) { g.values.push_back(i);
    g.values.push_back(0.5 * j); g.marks.push_back(j * n + i); } g.rows = m;
    return g;
}
std::vector<double> nothing(const std::vector<double>& v, int n) {
    std::vector<double> a; for (int i = 2; i < n; ++i) a.push_back(v[i]);
    return a;
}
Total binned(const std::vector<double>& v, int n) {
    Total t; for (int i = 0; i < n; ++i) { t.sum += v[i]; ++t.bins[i & 3];
    } return t;
}
double viewed(View view, double by) {
    double s = 0; for (int r = 0; r < view.extent(0); ++r) for (int c = 0; c < view.extent(1); ++c) s += view(r, c) *= by;
    return s;
}
std::array<double, 3> moments(const std::vector<double>& v) {
    std::array<double, 3> m{}; for (double x : v) { m[0] += 1; m[1] += x;
    m[2] += x * x; } return m;
}
std::array<double, 2> ends(const std::vector<double>& v, int n) {
    double low = v[0], high = v[0]; for (int i = 1; i < n; ++i) { low = std::min(low, v[i]);
    high = std::max(high, v[i]); } if (low < -99) return {};
    return {low, high};
}
std::array<float, 4> begun(const std::vector<double>& v, float by) {
    std::array<float, 4> a = {by, 2, 3}; for (std::size_t i = 0; i < v.size(); ++i) a[i % 4] += (float)v[i];
    return a;
}
std::optional<double> first_below(const std::vector<double>& v, double level) {
    for (std::size_t i = 0; i < v.size(); ++i) if (v[i] < level)
        return v[i];
    return std::nullopt;
}
std::optional<int> place_of(const std::vector<double>& v, double value) {
    int at = -1; for (std::size_t i = 0; i < v.size(); ++i) if (v[i] == value) at = (int)i;
    if (at < 0) return {};
    return std::make_optional(at);
}
void shaped(const std::vector<double>& v, std::vector<double>& out, double by) {
    out.resize(v.size()); for (std::size_t i = 0; i < v.size(); ++i) out[i] = by * v[i];
}
void kept_in_front(const std::vector<double>& v, std::vector<double>& out) {
    out.resize(v.size() + 2); for (std::size_t i = 1; i < v.size(); ++i) out[i] += v[i];
}
void sums_of(const std::vector<double>& v, std::vector<double>& out, int bins) {
    const int twice = 2 * bins; out.assign(twice, 0.5); for (std::size_t i = 0; i < v.size(); ++i) out[i % twice] += v[i];
}
void squared(const std::vector<double>& v, std::vector<double>& out, int n) {
    out.clear(); out.reserve(n); for (int i = 1; i < n; ++i) { out.push_back(v[i] * v[i]);
    out.push_back(i); }
}
double named_fields(std::vector<Leaf>& leaves) {
    double s = 0; for (auto& [x, y] : leaves) { x += 2 * y; s += x; }
    for (std::size_t i = 0; i < leaves.size(); ++i) { auto& [one, two] = leaves[i]; two -= one;
        const auto& [a, b] = leaves[i]; s += a * b; }
    return s;
}
double named_elements(std::vector<std::array<double, 3>>& points, Yield& yield) {
    auto& [mean, count] = yield; double s = 0;
    for (auto& [x, y, z] : points) { x += y * z; s += x; ++count; } for (std::size_t i = 1; i < points.size(); ++i) {
        const auto& [x, y, z] = points[i]; s += x - z; } mean = s;
    return s;
}
void Orchard::renewed(int n) {
    crops_.assign(n, 1.0); for (int r = 0; r < n; ++r) crops_[r] += step_ * r; }
void Orchard::grow(double by) {
    for (int r = 0; r < rows_; ++r) crops_[place(r, 1)] += by * step_ * r; }
std::vector<double> Tree::weights(double each) const {
    const std::size_t n = apples_.size(); std::vector<double> w(n);
    for (std::size_t i = 0; i < n; ++i) w[i] = each * apples_[i];
    return w;
}
Yield Tree::harvest() const {
    int sum = 0; for (int a : apples_) sum += a; return {sum / 2.0, sum};
}
"""
CASES = {
    "listed": ("ORCHARD::listed(v, n)", "r.mean, r.count"),
    "named": ("ORCHARD::named(v, n)", "r.mean, r.count"),
    "two_ways": ("ORCHARD::two_ways(v, n)", "r.mean, r.count"),
    "nested": ("ORCHARD::nested(v, n)", "r.yield.mean, r.yield.count, r.good, (int)r.ripe"),
    "paired": ("ORCHARD::paired(v, n)", "r.first, r.second"),
    "made_pair": ("ORCHARD::made_pair(v, n)", "r.first, r.second"),
    "walked": ("ORCHARD::walked({{1, 2}, {3, 4}, {5, 6}}, 4)", "r"),
    "rowed": ("ORCHARD::rowed({{1, 2}, {3, 4}, {5, 6}}, 0.5)", "r"),
    "ranged": ("ORCHARD::ranged(points)", "r, points[1]"),
    "lifted": (
        "[&] { ORCHARD::Held<double> h(n); auto r = ORCHARD::lifted(h, ORCHARD::Held<double>(n)); "
        "for (double x : h.all()) r.push_back(x); return r; }()",
        "r",
    ),
    "drawn": ("ORCHARD::drawn(n, 7)", "r.rows, r.values"),
    "counted": ("ORCHARD::counted(v, n, 5)", "r"),
    "ones": ("ORCHARD::ones(v)", "r"),
    "doubled": ("ORCHARD::doubled(v)", "r"),
    "swept": ("ORCHARD::swept(n, 0.5)", "r.values, r.marks"),
    "resized": ("ORCHARD::resized(n, 0.5)", "r.rows, r.columns, r.values, r.marks, r.unused.size()"),
    "aggregate": ("ORCHARD::aggregate(n, 4)", "r.rows, r.columns, r.values, r.marks"),
    "copied": ("ORCHARD::copied(ORCHARD::Rows{n, 3, v, {1, 2, 3}}, 1.5)", "r.rows, r.columns, r.values, r.marks"),
    "painted": ("ORCHARD::painted(6, n, 0.25f)", "r.wide, r.high, r.cells"),
    "leaves": ("ORCHARD::leaves(v, n)", "r.size(), r[2].x, r[3].y"),
    "appended": ("ORCHARD::appended(v, n)", "r"),
    "grid": ("ORCHARD::grid(n, 3)", "r.rows, r.values, r.marks"),
    "nothing": ("ORCHARD::nothing(v, 1)", "r.size()"),
    "binned": ("ORCHARD::binned(v, n)", "r.sum, r.bins"),
    "viewed": (
        "[&] { auto w = v; w.push_back(ORCHARD::viewed(ORCHARD::View(w.data(), 3, 3), 0.5)); return w; }()",
        "r",
    ),
    "Orchard::grow": ("[&] { ORCHARD::Orchard o(n); o.grow(2); return o.crops(); }()", "r"),
    "named_fields": (
        "[&] { std::vector<ORCHARD::Leaf> l{{1, 2}, {3, 4}}; double s = ORCHARD::named_fields(l); "
        "return std::vector<double>{s, l[0].x, l[0].y, l[1].x, l[1].y}; }()",
        "r",
    ),
    "named_elements": (
        "[&] { ORCHARD::Yield y{1, 2}; double s = ORCHARD::named_elements(points, y); "
        "return std::vector<double>{s, y.mean, (double)y.count, points[2][0]}; }()",
        "r",
    ),
    "moments": ("ORCHARD::moments(v)", "r"),
    "ends": ("ORCHARD::ends(v, n)", "r"),
    "begun": ("ORCHARD::begun(v, 0.5f)", "r"),
    "first_below": ("std::array{ORCHARD::first_below(v, -1), ORCHARD::first_below(v, -9)}", "*r[0], !!r[1]"),
    "place_of": ("std::array{ORCHARD::place_of(v, 3.5), ORCHARD::place_of(v, 99)}", "*r[0], !!r[1]"),
    "shaped": ("filled([&](auto& out) { ORCHARD::shaped(v, out, 0.5); })", "r"),
    "kept_in_front": ("filled([&](auto& out) { ORCHARD::kept_in_front(v, out); })", "r"),
    "sums_of": ("filled([&](auto& out) { ORCHARD::sums_of(v, out, 2); })", "r"),
    "squared": ("filled([&](auto& out) { ORCHARD::squared(v, out, n); })", "r"),
    "Orchard::renewed": ("[&] { ORCHARD::Orchard o(n); o.renewed(4); return o.crops(); }()", "r"),
    "Tree::weights": ("ORCHARD::Tree(n).weights(0.75)", "r"),
    "Tree::harvest": ("ORCHARD::Tree(n).harvest()", "r.mean, r.count"),
}
"""Function -> a call of it, and what of the result `r` is compared."""
MAIN = """\
#include <cstdio>
#include "orchard.cpp"
#define orchard plain
#include "plain.cpp"
#undef orchard
template <class T> void show(const T& x) {
    if constexpr (requires { x.begin(); }) for (auto e : x) std::printf("%.17g,", (double)e);
    else std::printf("%.17g;", (double)x);
}
template <class F> std::vector<double> filled(F f) { std::vector<double> out(5, 7.0); f(out); return out; }
template <class... T> void all(const T&... x) { (show(x), ...); std::printf("|"); }
int main() {
    const int n = 9;
    std::vector<double> v(n);
    for (int i = 0; i < n; ++i) v[i] = (i * 5) % 7 - 1.5;
CALLS
}
"""
REFUSED = """\
std::vector<int> by_choice(const std::vector<double>& v, int n) {
    std::vector<int> a; for (int i = 0; i < n; ++i) if (v[i] > 0) a.push_back(i);
    return a;
}
std::vector<int> until(int n) {
    std::vector<int> a; for (int i = 0; i < n; ++i) { if (i > 5) break;
    a.push_back(i); } return a;
}
std::vector<int> and_counted(int n) {
    std::vector<int> a; for (int i = 0; i < n; ++i) a.push_back(i++);
    return a;
}
std::vector<int> triangle(int n) {
    std::vector<int> a; for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) a.push_back(j);
    return a;
}
std::vector<int> doubled_number(int n) {
    n *= 2; std::vector<int> a(n); for (int i = 0; i < n; ++i) a[i] = i;
    return a;
}
std::vector<int> one_of_two(int n) {
    std::vector<int> a(n), b(n); if (n > 3) return a; return b;
}
std::vector<int> inner_block(int n) {
    if (n > 3) { std::vector<int> a(n); return a; } return {};
}
std::vector<int> sized_by_choice(int n) {
    std::vector<int> a; if (n > 3) a.resize(n); for (int i = 0; i < n; ++i) a[i] = i;
    return a;
}
std::vector<int> written_first(int n) {
    std::vector<int> a; a[0] = n; a.resize(n); return a;
}
std::vector<int> made_shorter(int n) {
    std::vector<int> a(n); for (int i = 0; i < n; ++i) a[i] = i; a.resize(n / 2);
    return a;
}
std::vector<std::vector<int>> rows_of_rows(int n) {
    std::vector<std::vector<int>> a(n); for (int i = 0; i < n; ++i) a[i].resize(3);
    return a;
}
int size(int n) {
    int s = 0; for (int i = 0; i < n; ++i) s += i; return s; } std::vector<int> computed(int n) { std::vector<int> a(size(n));
    for (int i = 0; i < n; ++i) a[i] = i; return a;
}
std::optional<double> smallest(const std::vector<double>& v) {
    std::optional<double> s; for (double x : v) if (!s || x < *s) s = x;
    return s;
}
std::string shown(const std::vector<double>& v) {
    double s = 0; for (double x : v) s += x; return std::to_string(s); }
void above(const std::vector<double>& v, std::vector<int>& found, double level) {
    found.clear(); for (int i = 0; i < (int)v.size(); ++i) if (v[i] > level) found.push_back(i);
}
void shorter(std::vector<double>& v, int n) {
    for (double& x : v) x *= 2; v.resize(n); }
void sometimes(std::vector<double>& v, int n) {
    if (n > 3) v.resize(n); for (double& x : v) x *= 2; }
void after_a_return(std::vector<double>& v, int n) {
    if (n < 1) return; v.resize(n); for (double& x : v) x *= 2; }
void by_a_changed(std::vector<double>& v, int n) {
    n += 1; v.resize(n); for (int i = 0; i < n; ++i) v[i] = i;
}
struct Kept : Yield {
    int more; }; Kept derived(int n) { Kept k; for (int i = 0; i < n; ++i) k.more = i;
    return k;
}
"""


def project(folder: Path, functions: str) -> Path:
    (folder / "orchard.hpp").write_text(HEADER)
    (folder / "orchard.cpp").write_text(f'#include "orchard.hpp"\nnamespace orchard {{\n{functions}}}\n')
    return folder / "orchard.cpp"


@pytest.mark.parametrize("names", [("nested", "resized", "grid"), tuple(CASES)], ids=["some", "all"])
def test_what_a_call_makes_is_what_the_function_returns(tmp_path: Path, names: tuple[str, ...]) -> None:
    """One program: the file as it is, in another namespace, and with calls of the flat functions in all that it defines."""
    file = project(tmp_path, FUNCTIONS)
    interfaces, calls, sources = [], [], ["main.cpp"]
    for name in names:
        call, compared = CASES[name]
        task = infer_task(file, entry=name, flags=BuildFlags(standard="c++20")).task
        interface = Interface(task, "device")
        interfaces.append(interface)
        (tmp_path / f"{interface.name}.h").write_text(header(interface))
        (tmp_path / f"{interface.name}_cpu.cpp").write_text(sequential(interface))
        sources.append(f"{interface.name}_cpu.cpp")
        both = (call.replace("ORCHARD", space) for space in ("plain", "orchard"))
        calls += [
            f"{{ std::vector<std::array<double, 3>> points(4, {{1, 2, 3}}); auto r = {one}; all({compared}); }}"
            for one in both
        ]
        calls.append(f'std::printf("{name}\\n");')
    before = file.read_text()
    after = hooked(before, interfaces)
    assert after is not None
    file.write_text(after)
    (tmp_path / "plain.cpp").write_text(before)
    (tmp_path / "main.cpp").write_text(MAIN.replace("CALLS", "\n".join(calls)))
    macros = [f"-D{one.macro}=1" for one in interfaces]
    build = [
        "g++",
        "-std=c++20",
        "-fsanitize=address,undefined",
        "-D_GLIBCXX_ASSERTIONS",
        *macros,
        "-o",
        "app",
        *sources,
    ]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:6000]
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    rows = [line.split("|") for line in said.splitlines()]
    assert [row[2] for row in rows] == list(names)
    assert [row for row in rows if row[0] != row[1]] == []


WHY = [
    ("by_choice", "returns 'a', which grows by 'push_back'"),
    ("until", "grows by 'push_back'"),
    ("and_counted", "grows by 'push_back'"),
    ("triangle", "length that depends on 'i'"),
    ("doubled_number", "depends on 'n', which it changes"),
    ("one_of_two", "returns 'std::vector<int>' .*one local variable"),
    ("inner_block", "returns 'std::vector<int>'"),
    ("sized_by_choice", "grows by 'resize'"),
    ("written_first", "returns 'a', whose length the parameters do not say"),
    ("made_shorter", "grows by 'resize'"),
    ("rows_of_rows", "returns 'std::vector<std::vector<int>>'"),
    ("computed", "length that 'size' computes"),
    ("derived", "has a base class"),
    ("smallest", r"returns the variable 's', .*keep a number and whether"),
    ("shown", r"returns 'std::string' .*return the numbers"),
    ("above", "'found' grows by 'push_back' as the data have it"),
    ("shorter", "'v' grows by 'resize'"),
    ("sometimes", "'v' grows by 'resize'"),
    ("after_a_return", "'v' grows by 'resize'"),
    ("by_a_changed", "depends on 'n', which it changes"),
]


def test_what_has_no_length_from_its_parameters_is_refused_at_its_line(tmp_path: Path) -> None:
    file = project(tmp_path, REFUSED)
    for name, why in WHY:
        with pytest.raises(TaskError, match=why) as refused:
            project_function(file, entry=name, flags=BuildFlags(standard="c++20"))
        assert re.search(r"orchard\.cpp: line \d+: ", str(refused.value)), refused.value
