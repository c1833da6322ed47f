"""Functions on the begin and the end of an array: what comes out of the flat function is what the function does."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.infer import infer_task
from regrapht.tasks.project.clang_unit import parse_unit
from regrapht.tasks.project.end_pointers import ends_of
from regrapht.tasks.project.functions import functions

pytest.importorskip("clang.cindex")

HEAD = """\
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
struct Body { double x, v, m; };
"""
TAKEN = {
    "apart": "double apart(const double* first, const double* last, const double* p) {\n"
    "    double s = 0; for (; first != last; ++first, ++p) s += (*first - *p) * (*first - *p); return s; }",
    "scale": "void scale(double* first, double* last, double f) { for (double* p = first; p != last; ++p) *p *= f; }",
    "mean": "double mean(const double* a, const double* b) { return std::accumulate(a, b, 0.0) / (b - a); }",
    "by_index": "void by_index(const double* a, const double* b, double* out) {\n"
    "    const std::ptrdiff_t n = b - a; for (std::ptrdiff_t i = 1; i + 1 < n; ++i) out[i] = a[i - 1] + a[i + 1]; }",
    "walk": "void walk(const double* a, const double* b, double* out) { while (a < b) { *out++ = 2 * *a; ++a; } }",
    "moved": "void moved(Body* begin, Body* end, double dt) { for (Body* b = begin; b != end; ++b) b->x += dt * b->v; }",
    "mass": "double mass(const Body* begin, const Body* end) { double s = 0; for (auto b = begin; b < end; b++) s += b->m; return s; }",
    "mapped": "void mapped(const double* a, const double* b, double* out) {\n"
    "    std::transform(a, b, out, [](double x) { return x + 1; }); }",
    "sum": "double sum(const double* a, const double* b) { return std::accumulate(a, b, 0.0); }",
    "through": "double through(const double* a, const double* b) { return 2 * sum(a, b); }",
    "two_pairs": "double two_pairs(const double* a, const double* b, const double* c, const double* d) {\n"
    "    return std::accumulate(a, b, 0.0) - std::accumulate(c, d, 0.0); }",
}
LEFT = {
    "handed_on": "static void pass(const double* from, double* to) { for (int k = 0; k < 4; k++) to[k] = from[k]; }\n"
    "void handed_on(const double* a, double* t, double* out) { pass(a, t); pass(t, out); }",
    "copied": "void copied(const double* a, double* out, int n) { std::copy(a, a + n, out); std::copy_n(a, n, out); }",
    "filled": "void filled(double* a, double* b, int n) { std::copy_n(a, 4, b); std::swap_ranges(a, a + n, b); }",
    "itself": "double itself(const double* a, const double* b) { return itself(a, b); }",
    "read": "void read(const double* a, const double* b, double* out, int n) { for (int i = 0; i < n; ++i) out[i] = a[i] + b[i]; }",
    "followed": "void followed(double* a, const double* b, int n) { for (int i = 0; i < n; ++i) a[i] = *b; }",
    "compared": "int compared(const double* a, const double* b) { return a == b ? 1 : 0 * b[0]; }",
    "set": "void set(const double* a, const double* b, int n) { b = a; }",
    "other_type": "int other_type(const double* a, const float* b) { return (const void*)a != (const void*)b; }",
}


def written(folder: Path) -> Path:
    (folder / "ends.cpp").write_text(HEAD + "\n".join([*TAKEN.values(), *LEFT.values()]) + "\n")
    return folder / "ends.cpp"


def test_which_pointers_are_ends(tmp_path: Path) -> None:
    unit = parse_unit(written(tmp_path), BuildFlags(standard="c++17"))
    counts = {one.name: len(ends_of(one.cursor)) for one in functions(unit)}
    wanted = dict.fromkeys(TAKEN, 1) | {"two_pairs": 2, "pass": 0} | dict.fromkeys(LEFT, 0)
    assert counts == wanted


def test_the_flat_function_does_what_the_function_does(tmp_path: Path) -> None:
    """Called as the patch calls it, and every one of them a task."""
    file, heads, calls, sources = written(tmp_path), [], [], []
    for name, body in TAKEN.items():
        task = infer_task(file, entry=name).task
        assert task.home is not None and not any(one.hidden for one in task.home.places), name
        (tmp_path / f"{name}.cpp").write_text(task.reference.source.text.replace(f" {name}(", f" flat_{name}("))
        sources.append(f"{name}.cpp")
        declared = re.search(rf"^.* flat_{name}\([^)]*\)", (tmp_path / f"{name}.cpp").read_text(), re.MULTILINE)
        assert declared is not None
        heads.append(f"{declared.group().removeprefix('extern ')};")
        names = re.findall(r"(\w+)[,)]", body.partition("{")[0])
        own, flat = (_arguments(names, body, store) for store in ("mine", "theirs"))
        places = ", ".join(one.expression for one in task.home.places)
        binds = "".join(f" auto {name_} = {value};" for name_, value in zip(names, flat.split(", "), strict=True))
        r, q = ("r = ", "q = ") if body.startswith("double") else ("", "")
        calls.append(
            f"{{ Store mine, theirs; double r = 0, q = 0; {r}{name}({own});"
            f" {{{binds} {q}flat_{name}({places}); }}"
            ' std::printf("%d", r == q && mine.same(theirs)); }'
        )
    store = (
        "struct Store { double a[6] = {1, 4, 9, 16, 25, 36}, out[6] = {}; Body b[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};\n"
        "    bool same(const Store& o) const { for (int i = 0; i < 6; ++i) if (a[i] != o.a[i] || out[i] != o.out[i]) return false;\n"
        "        return b[0].x == o.b[0].x && b[2].x == o.b[2].x; } };\n"
    )
    (tmp_path / "main.cpp").write_text(
        f'#include "ends.cpp"\n#include <cstdio>\n{store}'
        + "\n".join(heads)
        + "\nint main() {\n"
        + "\n".join(calls)
        + "\n}\n"
    )
    subprocess.run(
        ["g++", "-std=c++17", "-o", "app", "-Wl,--allow-multiple-definition", "main.cpp", *sources],
        cwd=tmp_path,
        check=True,
    )
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * len(TAKEN)


def _arguments(names: list[str], body: str, store: str) -> str:
    """Values for the parameters: an array and its end, then an output or a number."""
    of = "b" if body.startswith(("void moved", "double mass")) else "a"
    ends = [f"{store}.{of}", f"{store}.{of} + {3 if of == 'b' else 6}"]
    if len(names) == 4:
        return ", ".join([*ends, f"{store}.a", f"{store}.a + 2"])
    last = {"f": "0.5", "dt": "0.25", "out": f"{store}.out", "p": f"{store}.out"}
    return ", ".join([*ends, *(last[name] for name in names[2:])])


def test_an_end_that_is_also_read_is_an_array_of_its_own(tmp_path: Path) -> None:
    home = infer_task(written(tmp_path), entry="read").task
    assert [arg.name for arg in home.args if arg.kind.value == "array"] == ["a", "b", "out"]
    with pytest.raises(TaskError):
        infer_task(tmp_path / "ends.cpp", entry="compared")
