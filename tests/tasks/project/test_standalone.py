# ruff: noqa: E501 -- one function a line
"""Functions of a project as people write them: each is made flat, the flat one compiled and run beside the one that was written."""

import re
import subprocess

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.infer import infer_task
from regrapht.tasks.listing import list_functions
from regrapht.tasks.project.standalone import stand_alone

pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")

SHAPES = """
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>
#define HALO 2
#define CLAMPED(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
namespace field {
using real = double;
constexpr real kappa = 0.25;
enum class Edge { open, closed };
struct Options { real rate = 0.5; int steps = 3; bool on = true; };
struct Spot { float x, y; int kind; };
inline real mixed(real a, real b) { return kappa * a + (1 - kappa) * b; }
template <typename T> T limited(T a, T b) { return a * b <= T(0) ? T(0) : (a < b ? a : b); }
class Sheet {
public:
    Sheet(int w, int h) : w_(w), h_(h), cells_(w * h) {}
    int width() const { return w_; }
    int height() const { return h_; }
    real& at(int i, int j) { return cells_[j * w_ + i]; }
    real at(int i, int j) const { return cells_[j * w_ + i]; }
    std::vector<real>& cells() { return cells_; }
    std::vector<real> marks;
private:
    int w_, h_;
    std::vector<real> cells_;
};
class Model {
public:
    explicit Model(Sheet& sheet) : sheet_(sheet), load_(sheet.width()) {}
    void advance(real dt);
    real total() const;
    static constexpr int order = 2;
    static std::size_t place(std::size_t i, std::size_t j, std::size_t w) { return j * w + i; }
    std::vector<real> load_;
private:
    real rate(int i) const { return load_[i] * order; }
    Sheet& sheet_;
    real time_ = 0;
};
}
"""

SOURCE = """
#include "shapes.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace field {
static double gain = 1.5;
double table[6][4];
// every kind of parameter
void by_reference(const double& a, const int& n, double* x) { for (int i = 0; i < n; ++i) x[i] *= a; }
void vectors(const std::vector<double>& q, std::vector<double>& s, int n) { for (int i = 1; i < n - 1; ++i) s[i] = limited(q[i] - q[i - 1], q[i + 1] - q[i]); }
void of_a_length(std::vector<float>& s) { for (std::size_t i = 0; i < s.size(); ++i) s[i] = s[i] * 2 + CLAMPED(s[i], 0.f, 1.f); }
void each(std::vector<real>& s, real& sum) { for (auto& v : s) { v = mixed(v, 1); sum += v; } }
void rows(double** x, const double* const* v, int n, double dt) { for (int i = 0; i < n; ++i) for (int k = 0; k < 3; ++k) x[i][k] += dt * v[i][k]; }
void nested(std::vector<std::vector<double>>& x) { for (std::size_t i = 0; i < x.size(); ++i) for (std::size_t k = 0; k < x[i].size(); ++k) x[i][k] += i; }
void fixed(double a[6][4], const double (*b)[4]) { for (int i = 0; i < 6; ++i) for (int j = 0; j < 4; ++j) a[i][j] = 2 * b[i][j]; }
void global_table(double f) { for (int i = 0; i < 6; ++i) for (int j = 0; j < 4; ++j) table[i][j] += f * gain; }
void options(const Options& o, std::vector<real>& x) { for (std::size_t i = 0; i < x.size(); ++i) if (o.on) x[i] *= o.rate + o.steps; }
void spots(std::vector<Spot>& p, float dt) { for (auto& s : p) s.x += dt * s.y; }
void sheet(Sheet& s, real f) { for (int j = 0; j < s.height(); ++j) for (int i = 0; i < s.width(); ++i) s.at(i, j) = f * s.at(i, j) + i; }
void edged(double* x, int n, Edge e) { for (int i = 0; i < n; ++i) x[i] = e == Edge::closed ? 0.0 : x[i] + HALO; }
void arrays(std::array<double, 8>& a, const std::array<double, 8>& b) { for (int i = 0; i < 8; ++i) a[i] += b[i]; }
static void shift(std::vector<double>& v, double by) { for (std::size_t i = 0; i < v.size(); ++i) v[i] += by; }
void through_a_function(std::vector<double>& a, std::vector<double>& b) { shift(a, 1); shift(b, 2); }
void fortran_(const int* n, const double* alpha, const double* x, double* y) { for (int i = 0; i < *n; ++i) y[i] += *alpha * x[i]; }
template <typename T> T energy(const T* h, int n, T g) { T s = T(0); for (int i = 0; i < n; ++i) s += g * h[i] * h[i]; return s; }
template double energy<double>(const double*, int, double);
void Model::advance(real dt) { auto& load = load_; for (int i = 0; i < sheet_.width(); ++i) { load[i] += dt * rate(i); sheet_.at(i, 0) += load[i]; } time_ += dt; }
real Model::total() const { real s = 0; for (int i = 0; i < sheet_.width(); ++i) s += load_[i]; return s; }
void twice(double* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
void bordered(std::vector<double>& s, std::size_t w, std::size_t h) { for (std::size_t j = 0; j < h; ++j) { s[Model::place(0, j, w)] = 1; s[Model::place(w - 1, j, w)] = 2; } }
real squares(const std::vector<double>& v, const std::vector<double>& w) { return std::inner_product(v.begin(), v.end(), w.begin(), 0.0); }
void lifted(const std::vector<double>& v, std::vector<double>& w, double by) { std::transform(v.begin(), v.end(), w.begin(), [by](double x) { return x + by; }); }
typedef struct { int nx; double h; } grid_t;
typedef struct named_s { double low, high; } named_t;
typedef enum { open_end, closed_end } end_t;
void gridded(const grid_t* g, const named_t* limits, double* x, end_t end) { for (int i = 0; i < g->nx; ++i) x[i] = end == closed_end ? x[i] * g->h : limits->low; }
// what has no flat form
struct Link { double value; Link* next; };
void along(Link& head, double* x, int n) { Link* p = &head; for (int i = 0; i < n; ++i) { x[i] = p->value; p = p->next; } }
void linked(const std::vector<Link>& links, double* x, int n) { for (int i = 0; i < n; ++i) x[i] = links[i].next->value; }
std::string signs(const double* x, int n) { std::string s; for (int i = 0; i < n; ++i) s += x[i] > 0 ? '+' : '-'; return s; }
void signed_as(std::string& s, const double* x, int n) { for (int i = 0; i < n; ++i) s[i] = x[i] > 0 ? '+' : '-'; }
void given_a_function(double (*fn)(double), double* x, int n) { for (int i = 0; i < n; ++i) x[i] = fn(x[i]); }
void grows(std::vector<double>& v, int n) { for (int i = 0; i < n; ++i) v.push_back(i); }
void throws(double* x, int n) {
  for (int i = 0; i < n; ++i) {
    if (x[i] < 0) throw 1;
    x[i] = std::sqrt(x[i]); } }
std::vector<double> made(int n) { std::vector<double> v; for (int i = 0; i < n; ++i) if (i % 3) v.push_back(i); return v; }
double elsewhere(double);
void calls_elsewhere(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = elsewhere(x[i]); }
void itself(std::vector<double>& v, int n) { for (int i = 0; i < n; ++i) v[i] += 1; if (n > 1) itself(v, n - 1); }
template <typename T> void unused(T* x, int n) { for (int i = 0; i < n; ++i) x[i] += 1; }
}
"""

FLAT = {
    "by_reference": "void by_reference(double a, int n, double* x)",
    "vectors": "void vectors(const double* q, double* s, int n)",
    "of_a_length": "void of_a_length(float* s, unsigned long long s_size)",
    "each": "void each(double* s, unsigned long long s_size, double* sum)",
    "rows": "void rows(double* x, const double* v, int n, double dt)",
    "nested": "void nested(double* x, unsigned long long x_size, unsigned long long x_cols)",
    "fixed": "void fixed(double* a, const double* b)",
    "global_table": "void global_table(double f, double* table, double gain)",
    "options": "void options(int o_on, double o_rate, int o_steps, double* x, unsigned long long x_size)",
    "spots": "void spots(Spot* p, unsigned long long p_size, float dt)",
    "sheet": "void sheet(int s_h, int s_w, double* s_cells, double f)",
    "edged": "void edged(double* x, int n, int e)",
    "arrays": "void arrays(double* a, const double* b)",
    "through_a_function": "void through_a_function(double* a, unsigned long long a_size, double* b, unsigned long long b_size)",
    "fortran_": "void fortran_(int n, double alpha, const double* x, double* y)",
    "energy": "void energy(const double* h, int n, double g, double* result)",
    "Model::advance": "void Model_advance(double dt, int sheet_w, double* load_2, double* sheet_cells, double* time)",
    "Model::total": "void Model_total(int sheet_w, const double* load, double* result)",
    "twice(float*, int)": "void twice(float* x, int n)",
    "bordered": "void bordered(double* s, unsigned long long w, unsigned long long h)",
    "squares": "void squares(const double* v, unsigned long long v_size, const double* w, double* result)",
    "gridded": "void gridded(int g_nx, double g_h, double limits_low, double* x, int end)",
    "lifted": "void lifted(const double* v, unsigned long long v_size, double* w, double by)",
}
"""What `--entry` is given -> the signature of the candidate."""

REFUSED = {
    "along": ("Link* p = &head", "in each the number of another one (int next) in the place of a pointer"),
    "linked": ("void linked", "keep the number of another object in each (int next)"),
    "signs": ("std::string signs", "return the numbers, and make the text of them where it is printed"),
    "signed_as": ("void signed_as", "take its characters by a pointer, char*, and their number"),
    "given_a_function": ("void given_a_function", "call one by its name, or make it a template parameter"),
    "grows": ("v.push_back", "'v' grows by 'push_back'"),
    "throws": ("throw 1", "throws an exception"),
    "made": (" made(int n)", "returns 'v', which grows by 'push_back'"),
    "calls_elsewhere": ("= elsewhere(", "'elsewhere', whose body is in another file"),
    "itself": ("itself(v", "calls itself"),
    "unused": ("void unused", "--entry 'field::unused<double>'"),
    "twice": (None, "twice(float *, int)"),
    "twixe": (None, "did you mean 'field::twice'?"),
    "elsewhere": (None, "it only declares it: give the file that has its body"),
}
"""What `--entry` is given -> what the line has that is named, and words of the message."""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "include").mkdir()
    (folder / "include" / "shapes.hpp").write_text(SHAPES)
    (folder / "work.cpp").write_text(SOURCE)
    return folder


def test_what_is_listed(project):
    """Loops of the standard library are loops, those of what a function calls too, and a template is there once for each way of its use."""
    (project / "listed.cpp").write_text("""#include "shapes.hpp"
#include <numeric>
namespace field {
double all(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }
template <typename T> void doubled(std::vector<T>& v) { for (auto& x : v) x += x; }
template void doubled<float>(std::vector<float>&);
template void doubled<int>(std::vector<int>&);
template <typename T> T summed(const std::vector<T>& v) { return std::accumulate(v.begin(), v.end(), T(0)); }
template double summed<double>(const std::vector<double>&);
double by_another(const std::vector<double>& v) { return 2 * all(v); }
double none(double x) { return std::max(x, kappa); }
}
""")
    listed = {one.name: one.why_not for one in list_functions(project / "listed.cpp", flags(project))}
    wanted = ("all", "doubled<float>", "doubled<int>", "summed<double>", "by_another")
    assert listed == {**{f"field::{name}": None for name in wanted}, "field::none": "has no loop"}


def flags(project):
    return BuildFlags(include=(project / "include",))


@pytest.mark.parametrize("entry", FLAT)
def test_a_function_is_made_flat(project, entry):
    task = infer_task(project / "work.cpp", entry=entry, flags=flags(project)).task
    assert re.sub(r'^extern "C" ', "", task.signature) == FLAT[entry]
    assert task.home is not None and task.home.name.startswith("field::")
    file, line = task.home.where(task.reference.source.text.count("\n"))
    assert file.endswith("work.cpp") and SOURCE.split("\n")[line - 1].startswith(("void", "real", "template"))


@pytest.mark.parametrize("entry", REFUSED)
def test_what_has_no_flat_form_is_refused_at_its_line(project, entry):
    code, words = REFUSED[entry]
    lines = SOURCE.split("\n")
    place = "--entry" if code is None else f"line {next(n for n, line in enumerate(lines, 1) if code in line)}:"
    with pytest.raises(TaskError) as caught:
        infer_task(project / "work.cpp", entry=entry, flags=flags(project))
    assert words in str(caught.value) and place in str(caught.value) and "work.cpp" in str(caught.value)


CALLS = {
    "vectors": ("std::vector<double> q(9), s(9); int n = 9; fill(q); fill(s);", "s"),
    "of_a_length": ("std::vector<float> s(7); fill(s);", "s"),
    "each": ("std::vector<double> s(5); double sum = 0.5; fill(s);", "s"),
    "rows": (
        "std::vector<double> d(12), e(12); fill(d); fill(e); double* x[4]; const double* v[4]; for (int i = 0; i < 4; ++i) { x[i] = &d[3 * i]; v[i] = &e[3 * i]; } int n = 4; double dt = 0.5;",
        "d",
    ),
    "options": ("field::Options o; std::vector<double> x(6); fill(x);", "x"),
    "sheet": ("field::Sheet s(4, 3); fill(s.cells()); double f = 2;", "s.cells()"),
    "through_a_function": ("std::vector<double> a(5), b(6); fill(a); fill(b);", "b"),
    "bordered": ("std::vector<double> s(12); fill(s); std::size_t w = 4, h = 3;", "s"),
    "lifted": ("std::vector<double> v(5), w(5); fill(v); double by = 3;", "w"),
    "Model::total": ("field::Sheet h(4, 3); field::Model m(h); fill(m.load_);", "one"),
}
"""What `--entry` is given -> how its arguments are made, and what it changes."""


def test_the_flat_function_computes_what_the_written_one_does(project):
    parts = ['#include "work.cpp"', "#include <cstdio>", "#include <cstring>"]
    parts.append(
        "template <class V> void fill(V& v) { for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.25 * (i + 1); }"
    )
    parts.append("double field::elsewhere(double v) { return v; }")
    main = []
    for number, (entry, (setup, changed)) in enumerate(CALLS.items()):
        alone = stand_alone(project / "work.cpp", entry, flags(project))
        body = re.sub(r"^\s*#.*$", "", alone.text, flags=re.MULTILINE)
        parts.append(f"namespace flat{number} {{ {body} }}")
        flat = ", ".join(
            {"0": "3"}.get(p.expression, p.expression) if p.form != "rows" else f"const_cast<double*>({p.name}[0])"
            for p in alone.home.places
        )
        called = f"field::{entry}({', '.join(alone.home.arguments)})"
        if entry.startswith("Model"):
            flat = "4, m.load_.data()"
            main.append(f"{{ {setup} same(flat{number}::{alone.entry}({flat}), m.total()); }}")
            continue
        main.append(
            f"{{ auto one = [&](bool written) {{ {setup} if (written) {called}; else flat{number}::{alone.entry}({flat}); return {changed}; }}; auto a = one(true), b = one(false); for (std::size_t i = 0; i < a.size(); ++i) same(a[i], b[i]); }}"
        )
    parts.append("static int wrong = 0; static void same(double a, double b) { wrong += a != b; }")
    (project / "both.cpp").write_text("\n".join([*parts, "int main() {", *main, "return wrong; }"]))
    build = subprocess.run(
        ["g++", "-std=c++17", "-O1", f"-I{project / 'include'}", "-o", project / "both", project / "both.cpp"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert build.returncode == 0, build.stderr[:3000]
    assert subprocess.run([project / "both"], check=False).returncode == 0


def test_a_function_in_the_projects_own_header_counts(project):
    alone = stand_alone(project / "include" / "shapes.hpp", "mixed", flags(project))
    assert alone.entry == "mixed" and "0.25" in alone.text
