"""Accessors as people write them, with assertions and named indices: what the flat function does is what the method does."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

CELL = "v[static_cast<std::size_t>(j) * nx + i]"
ACCESSORS = {
    "plain": f"return {CELL};",
    "assertion": f"assert(i >= 0 && i < nx && j >= 0); return {CELL};",
    "two_assertions": f"assert(i >= 0); assert(inside(i, j) || true); return {CELL};",
    "named_index": "const std::size_t k = static_cast<std::size_t>(j) * nx + i; return v[k];",
    "named_after_assertion": "assert(i >= 0); const auto row = static_cast<std::size_t>(j) * nx; assert(j >= 0); return v[row + i];",
    "two_names": "const int row = j * nx; const int at = row + i; return v[at];",
    "several_declared": "const int row = j * nx, at = row + i; return v[at];",
    "by_a_helper": "return v[index(i, j)];",
    "helper_named": "const std::size_t k = index(i, j); assert(k < v.size()); return v[k];",
    "narrowed_on_the_way": "const short row = j; return v[row * nx + i];",
}
GRID = """\
#include <cassert>
#include <cstddef>
#include <vector>
class Grid_N {
public:
    Grid_N(int x, int y) : nx(x), v(x * y) {}
    double& operator()(int i, int j) { BODY }
    const double& operator()(int i, int j) const { BODY }
    double& at_cell(int i, int j) { BODY }
    std::vector<double>& all() { return v; }
    int width() const { return nx; }
private:
    std::size_t index(int i, int j) const { assert(i >= 0); return static_cast<std::size_t>(j) * nx + i; }
    bool inside(int i, int j) const { return i < nx && j >= 0; }
    int nx;
    std::vector<double> v;
};
inline void sweep_N(Grid_N& out, const Grid_N& in, int ny) {
    for (int j = 1; j + 1 < ny; ++j)
        for (int i = 1; i + 1 < in.width(); ++i) {
            out(i, j) = in(i - 1, j) + 2 * in(i, j + 1) - in(i, j);
            out.at_cell(i, j) += 0.5;
        }
}
"""


@pytest.mark.parametrize("flags", [(), ("NDEBUG",)], ids=["checked", "ndebug"])
def test_accessors(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """In every form, with the assertions there and gone."""
    calls, sources, heads = [], [], []
    for name, body in ACCESSORS.items():
        text = GRID.replace("_N", f"_{name}").replace("BODY", body)
        (tmp_path / f"{name}.cpp").write_text(text)
        found = project_function(
            tmp_path / f"{name}.cpp", entry=f"sweep_{name}", flags=BuildFlags(standard="c++17", defines=flags)
        )
        assert found.home is not None, name
        (tmp_path / f"flat_{name}.cpp").write_text(found.text)
        declared = found.text[found.text.rindex(f"sweep_{name}(") :].partition("{")[0]
        given = ", ".join(
            one.expression.replace("out", "flat", 1) if one.expression.startswith(("out", "&out")) else one.expression
            for one in found.home.places
        )
        given = given.replace("&out", "&flat")
        assert all(one.hidden is None for one in found.home.places), (name, found.home.places)
        sources.append(f"flat_{name}.cpp")
        heads.append(f'#include "{name}.cpp"\nvoid {declared};\n')
        calls.append(
            f"{{ Grid_{name} in(7, 5), out(7, 5), flat(7, 5); const int ny = 5; int n = 0;"
            f" for (double& x : in.all()) x = ++n; sweep_{name}(out, in, ny);"
            f' sweep_{name}({given}); std::printf("%d", out.all() == flat.all() && out(3, 2) != 0); }}'
        )
    (tmp_path / "main.cpp").write_text(
        "#include <cstdio>\n" + "".join(heads) + "int main() {\n" + "\n".join(calls) + "\n}\n"
    )
    subprocess.run(
        ["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp", *sources], cwd=tmp_path, check=True
    )
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * len(ACCESSORS)


RANGES = """\
#include <array>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>
struct Kernel {
    std::array<double, 3> weights{0.5, 0.25, 0.125};
    double plain[3] = {1, 2, 4};
};
class Bag {
public:
    explicit Bag(int n) : nx(n), v(n) {}
    double& operator()(int i) { return v[i]; }
    const double& operator()(int i) const { return v[i]; }
    auto begin() { return v.begin(); }
    auto end() { return v.end(); }
    auto begin() const { return v.begin(); }
    auto end() const { return v.end(); }
    double* data() { return v.data(); }
    const double* data() const { return v.data(); }
    std::size_t size() const { return v.size(); }
    int count() const { return static_cast<int>(v.size()); }
    int width() const { return nx; }
private:
    int nx;
    std::vector<double> v;
};
"""
LOOPS = {
    "size_of_std_array": "for (std::size_t r = 0; r < k.weights.size(); ++r) g(0) += k.weights[r] * h(1);",
    "over_std_array": "for (double w : k.weights) g(1) += w * h(2);",
    "over_plain_array": "for (double w : k.plain) g(2) += w * h(0);",
    "end_of_std_array": "g(3) += std::accumulate(k.weights.begin(), k.weights.end(), 0.0) * h(1);",
    "over_object": "for (double& x : g) x += 0.5; for (double x : h) g(0) += x;",
    "begin_and_end": "g(0) += std::accumulate(h.begin(), h.end(), 1.0);",
    "from_data": "for (int i = 0; i < h.width(); ++i) g(i) += h.data()[i];",
    "data_alone": "double* p = g.data(); for (int i = 0; i < h.width(); ++i) p[i] *= 2;",
    "by_size": "for (std::size_t i = 0; i < g.size(); ++i) g(i) = 2 * g(i) + h(0);",
    "by_own_count": "for (int i = 0; i < h.count(); ++i) g(i) += i;",
}


def test_lengths_and_first_elements(tmp_path: Path) -> None:
    """The calls hand over what the methods say: no length is made up, and none is a parameter where the type says it."""
    code = RANGES + "".join(
        f"void {name}(Bag& g, const Bag& h, const Kernel& k) {{ {body} }}\n" for name, body in LOOPS.items()
    )
    (tmp_path / "bag.cpp").write_text(code)
    calls, sources, heads = [], [], []
    for name in LOOPS:
        found = project_function(tmp_path / "bag.cpp", entry=name, flags=BuildFlags(standard="c++17"))
        assert found.home is not None and all(one.hidden is None for one in found.home.places), (name, found.home)
        assert "weights_size" not in found.text and "plain_size" not in found.text, name
        text = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
        (tmp_path / f"{name}.cpp").write_text("#include <cstddef>\n#include <numeric>\n" + text)
        sources.append(f"{name}.cpp")
        heads.append(f"void {text[text.rindex(f'{name}(') :].partition('{')[0]};")
        given = ", ".join(re.sub(r"\bg\b", "flat", one.expression) for one in found.home.places)
        calls.append(
            f"{{ Bag own(5), flat(5), h(5); const Kernel k; for (int i = 0; i < 5; ++i) {{ own(i) = flat(i) = i; h(i) = i + 1; }}"
            f" {name}(own, h, k); {name}({given}); int same = 1, moved = 0;"
            f" for (int i = 0; i < 5; ++i) {{ same &= own(i) == flat(i); moved |= own(i) != i; }}"
            ' std::printf("%d", same && moved); }'
        )
    (tmp_path / "main.cpp").write_text(
        '#include "bag.cpp"\n' + "\n".join(heads) + "\nint main() {\n" + "\n".join(calls) + "\n}\n"
    )
    subprocess.run(["g++", "-std=c++17", "-o", "app", "main.cpp", *sources], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * len(LOOPS)


def test_a_length_that_no_method_says_is_named(tmp_path: Path) -> None:
    """The patch would have to make it up."""
    code = RANGES.replace("std::size_t size() const { return v.size(); }", "").replace(
        "int count() const { return static_cast<int>(v.size()); }", ""
    )
    (tmp_path / "bag.cpp").write_text(code + "void f(Bag& g) { g(0) = 1; for (double& x : g) x += 0.5; }\n")
    home = project_function(tmp_path / "bag.cpp", entry="f", flags=BuildFlags(standard="c++17")).home
    assert home is not None
    assert [one.hidden for one in home.places if one.name.endswith("_size")] == ["the length of v is not public"]


TEMPLATE = """\
#include <cstddef>
#include <vector>
template <class T>
class Field {
public:
    Field(int nx, int ny, T value = T{}) : nx_(nx), data_(static_cast<std::size_t>(nx) * ny, value) {}
    T& operator()(int i, int j) { return data_[static_cast<std::size_t>(j) * nx_ + i]; }
    typename std::vector<T>::iterator begin() { return data_.begin(); }
    typename std::vector<T>::const_iterator begin() const { return data_.begin(); }
    LENGTH
    void swap(Field& other) { data_.swap(other.data_); }
    int nx() const { return nx_; }
private:
    const int nx_;
    std::vector<T> data_;
};
class Model {
public:
    void step() {
        for (int i = 0; i < now_.nx(); ++i) next_(i, 0) = 2 * now_(i, 0);
        now_.swap(next_);
    }
private:
    Field<double> now_{8, 1}, next_{8, 1};
};
"""


@pytest.mark.parametrize(
    ("length", "shown"),
    [
        ("std::size_t size() const { return data_.size(); }", "this->now_.size()"),
        ("int count() const { return static_cast<int>(this->data_.size()); }", "this->now_.count()"),
        ("", None),
    ],
)
def test_accessors_of_class_templates(tmp_path: Path, length: str, shown: str | None) -> None:
    """Their bodies name what has no type before the template is used."""
    (tmp_path / "model.cpp").write_text(TEMPLATE.replace("LENGTH", length))
    home = project_function(tmp_path / "model.cpp", entry="Model::step", flags=BuildFlags(standard="c++17")).home
    assert home is not None
    places = {place.name: place for place in home.places}
    assert places["now_data"].expression == "&*this->now_.begin()"
    lengths = [place for place in home.places if place.name == "now_data_size"]
    assert [one.expression for one in lengths if one.hidden is None] == ([shown] if shown else [])
