"""Lambdas of methods and objects of class templates in flat functions: one program compares each with its method."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

CAPTURES = ["this", "this, by", "this, &by", "&", "=", "&, this", "by, this, &from"]
TANK = """\
#include <algorithm>
#include <cstddef>
#include <vector>
struct Tank {
    double most = 9, share = 0.5;
    std::vector<double> level{1, 4, 9, 16, 25};
    METHODS
};
template <typename T>
struct Grid {
    Grid(std::size_t rows, std::size_t cols, T value = T{}) : rows_(rows), cols_(cols), cells(rows * cols, value) {}
    std::size_t rows_, cols_;
    std::vector<T> cells;
};
Grid<double> made(std::size_t rows, std::size_t cols, double by) {
    Grid<double> out(rows, cols);
    for (std::size_t r = 0; r < rows; ++r) out.cells[r * cols] = by * r;
    return out;
}
"""
METHOD = """void fill{n}(const std::vector<double>& from, double by) {{
        std::transform(level.begin(), level.end(), from.begin(), level.begin(),
                       [{capture}](double a, double b) {{ return std::min(most, a + {by} * share * b); }});
    }}"""


def test_lambdas_reach_the_fields_of_their_object(tmp_path: Path) -> None:
    """However they capture it: `this` is no object any more, and the fields are variables."""
    named = [re.search(r"by|^[&=]", one) is not None for one in CAPTURES]
    methods = [METHOD.format(n=n, capture=one, by="by" if named[n] else "2") for n, one in enumerate(CAPTURES)]
    (tmp_path / "tank.cpp").write_text(TANK.replace("METHODS", "\n    ".join(methods)))
    declared, calls, sources = [], [], []
    for n in range(len(CAPTURES)):
        found = project_function(tmp_path / "tank.cpp", entry=f"Tank::fill{n}", flags=BuildFlags(standard="c++17"))
        assert found.home is not None
        (tmp_path / f"flat{n}.cpp").write_text(found.text)
        sources.append(tmp_path / f"flat{n}.cpp")
        declared.append(found.text[found.text.rindex(f"void Tank_fill{n}(") :].partition("{")[0] + ";")
        fields = [re.sub(r"^(this->)?(most|share|level)\b", r"flat.\2", one.expression) for one in found.home.places]
        calls.append(f"{{ Tank plain, flat; plain.fill{n}(from, by); Tank_fill{n}({', '.join(fields)});")
        calls.append('std::printf("%d", plain.level == flat.level && plain.level[0] != 1); }')
    (tmp_path / "main.cpp").write_text(
        '#include "tank.cpp"\n#include <cstdio>\n' + "\n".join(declared) + "\nint main() {\n"
        "const std::vector<double> from{3, 1, 4, 1, 5}; const double by = 1.5;\n" + "\n".join(calls) + "\n}\n"
    )
    subprocess.run(["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp", *sources], check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * len(CAPTURES)


def test_a_default_of_a_class_template_has_the_type_of_the_object(tmp_path: Path) -> None:
    (tmp_path / "tank.cpp").write_text(TANK.replace("METHODS", ""))
    found = project_function(tmp_path / "tank.cpp", entry="made", flags=BuildFlags(standard="c++17"))
    assert "double{}" in found.text and not re.search(r"\bT\b", found.text)
    (tmp_path / "flat.cpp").write_text(found.text)
    subprocess.run(["g++", "-std=c++17", "-fsyntax-only", tmp_path / "flat.cpp"], check=True)


LOCALS = """\
#include <cstddef>
#include <vector>
void work(std::vector<double>& v, const std::vector<double>& from) {
    struct Weight { double by; double of(double x) const { return by * x; } };
    auto at = [&](std::size_t i) -> double { return from[i % from.size()]; };
    const auto twice = [](double x) { return 2 * x; };
    for (std::size_t i = 0; i < v.size(); ++i) {
        const Weight weight{0.5};
        v[i] = twice(at(i + 1)) + weight.of(v[i]);
    }
}
"""


def test_what_is_declared_in_the_body_stays_there(tmp_path: Path) -> None:
    """Named lambdas and local structs: they are part of the text already."""
    (tmp_path / "work.cpp").write_text(LOCALS)
    found = project_function(tmp_path / "work.cpp", entry="work", flags=BuildFlags(standard="c++17"))
    assert found.text.count("struct Weight") == 1
    calls = (
        "std::vector<double> a{1, 2, 3}, b{4, 5, 6}, c = a; work(a, b); work(c.data(), c.size(), b.data(), b.size());"
    )
    (tmp_path / "flat.cpp").write_text(found.text)
    declared = found.text[found.text.rindex("void work(") :].partition("{")[0]
    (tmp_path / "main.cpp").write_text(
        f'#include "work.cpp"\n{declared};\nint main() {{ {calls} return !(a == c && a[0] != 1); }}\n'
    )
    words = ["g++", "-std=c++17", "-o", "app", "main.cpp", "flat.cpp"]
    subprocess.run(words, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "app"], check=True)


SHAPES = """\
#include <vector>
struct Base {
    virtual ~Base() = default;
    virtual double f(double x) const { return x + 1; }
};
struct Leaf final : Base {
    double k = 2;
    double f(double x) const override { return x * k; }
    void own(std::vector<double>& v) const { for (auto& x : v) x = f(x); }
    void named(std::vector<double>& v) const { for (auto& x : v) x = Base::f(x); }
};
struct Open : Base {
    double k = 3;
    double f(double x) const override { return x * k; }
    void own_of_open(std::vector<double>& v) const { for (auto& x : v) x = f(x); }
};
struct Last : Base {
    double k = 4;
    double f(double x) const final { return x - k; }
    void own_of_last(std::vector<double>& v) const { for (auto& x : v) x = f(x); }
};
struct Holder {
    Open held;
    void field(std::vector<double>& v) const { for (auto& x : v) x = held.f(x); }
    void reference(std::vector<double>& v, const Open& open) const { for (auto& x : v) x = open.f(x); }
    void leaf(std::vector<double>& v, const Leaf& leaf) const { for (auto& x : v) x = leaf.f(x); }
};
"""


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("Leaf::own", "* k"),
        ("Leaf::named", "+ 1"),
        ("Last::own_of_last", "- k"),
        ("Holder::field", "* held_k"),
        ("Holder::leaf", "* leaf_k"),
        ("Open::own_of_open", None),
        ("Holder::reference", None),
    ],
)
def test_a_virtual_function_that_is_known_when_compiled_is_called(
    tmp_path: Path, entry: str, value: str | None
) -> None:
    (tmp_path / "shapes.cpp").write_text(SHAPES)

    def flat() -> str:
        return project_function(tmp_path / "shapes.cpp", entry=entry, flags=BuildFlags(standard="c++17")).text

    if value is None:
        with pytest.raises(TaskError, match="calls the virtual function 'f'"):
            flat()
    else:
        assert value in flat()


GLOBALS = """\
#pragma once
extern const double weight[3];
const double weight[3] = {1, 2, 3};
static const int lengths[] = {3, 5};
namespace own { double scale = 2; static double table[4]; static int turns = 1; }
static inline double weighted(double x, int i) { return x * weight[i % 3] + lengths[i % 2]; }
static double scaled(double x) { return x * own::scale; }
static double from_table(double x, int i) { return x * own::table[i % 4]; }
static double deep(double x, int i) { return from_table(scaled(x), i) + weighted(x, i); }
static double turned(double x) { return x + own::turns; }
void constants(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = weighted(x[i], i); }
void number(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = scaled(x[i]); }
void array(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = from_table(x[i], i); }
void both(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = deep(x[i], i) + turned(x[i]); }
"""
GIVEN = {"constants": "", "number": ", own::scale", "array": ", own::table", "both": None}


def test_what_a_helper_reads_of_the_file_is_a_parameter(tmp_path: Path) -> None:
    """A value that the program changes was that of the file's text; constants stay, arrays of them too."""
    (tmp_path / "globals.hpp").write_text(GLOBALS)
    (tmp_path / "globals.cpp").write_text('#include "globals.hpp"\n')
    calls, heads, sources = [], [], ["main.cpp"]
    for entry, given in GIVEN.items():
        found = project_function(tmp_path / "globals.cpp", entry=entry, flags=BuildFlags(standard="c++17"))
        assert found.home is not None and "weight" not in {place.name for place in found.home.places}
        (tmp_path / f"{entry}_flat.cpp").write_text(
            f"#define {entry} {entry}_flat\n#define weight {entry}_weight\n{found.text}"
        )
        head = found.text[found.text.rindex(f"void {entry}(") :].partition("{")[0]
        heads.append(head.replace(entry, f"{entry}_flat") + ";")
        rest = [one.expression for one in found.home.places][2:]
        assert given is None or "".join(f", {one.removeprefix('::')}" for one in rest) == given
        calls.append(f"{{ double a[6] = {{1, 2, 3, 4, 5, 6}}, b[6] = {{1, 2, 3, 4, 5, 6}}; {entry}(a, 6);")
        calls.append(
            f"{entry}_flat({', '.join(['b', '6', *rest])}); for (int i = 0; i < 6; ++i) wrong += a[i] != b[i]; }}"
        )
        sources.append(f"{entry}_flat.cpp")
    (tmp_path / "main.cpp").write_text(
        '#include "globals.hpp"\n'
        + "\n".join(heads)
        + "\nint main() {\nint wrong = 0; own::scale = 5; own::turns = 7;\n"
        "for (int i = 0; i < 4; ++i) own::table[i] = i + 0.5;\n" + "\n".join(calls) + "\nreturn wrong;\n}\n"
    )
    subprocess.run(["g++", "-std=c++17", "-o", "app", *sources], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "app"], check=True)
