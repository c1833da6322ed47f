"""Types that functions declare for themselves: launched loops see them, and a kernel is handed objects of them."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.local_types import before_their_functions
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE, require_built_by_nvcc

HEAD = """
#include <algorithm>
#include <array>
#include <cstdint>
static constexpr std::array<int32_t, 16> squares_mod() {
    std::array<int32_t, 16> t{};
    for (int i = 0; i < 16; ++i) t[i] = i * i % 7;
    for (int i = 1; i < 16; ++i) { t[i] += t[i - 1] & 1; }
    return t;
}
static constexpr auto kSquares = squares_mod();
struct Range { int low; };
static int spread(const int32_t* p) { struct Range { int low, high; } r{p[0], p[0]}; for (int k = 1; k < 4; ++k) {
    r.low = std::min(r.low, p[k]); r.high = std::max(r.high, p[k]); } return r.high - r.low; }
"""
SORTED = "int32_t r[3] = {a[i], b[i], 4}; std::sort(r, r + 3); "
"""What keeps the reader from it."""
BODIES = {
    "a table of a local struct": "struct Tap { int at; // where\n int weight; }; const Tap taps[] = {{0, 3}, {1, -1}}; "
    f"for (int i = 0; i < n - 1; ++i) {{ {SORTED} for (const auto& t : taps) out[i] += t.weight * a[i + t.at] + r[0]; }}",
    "its name in the turn": "struct Two { int x, y; int sum() const { return x + y; } }; "
    f"for (int i = 0; i < n; ++i) {{ {SORTED} Two t{{r[0], r[2]}}; out[i] = t.sum(); }}",
    "declared in the turn": f"for (int i = 0; i < n; ++i) {{ {SORTED} struct Box {{ int32_t v[2]; }} box{{{{r[1], 3}}}}; "
    "out[i] = box.v[0] * box.v[1]; }",
    "a scoped enumeration": "enum class Side { Left = 2, Right }; "
    f"for (int i = 0; i < n; ++i) {{ {SORTED} const Side s = r[0] > 1 ? Side::Left : Side::Right; out[i] = (int)s + r[1]; }}",
    "constants without a name": f"enum {{ kLow = 3, kHigh = 5 }}; for (int i = 0; i < n; ++i) {{ {SORTED} out[i] = r[0] * kLow + kHigh; }}",
    "the name of another": "struct Range { int32_t from, to; }; const Range range{1, 4}; "
    f"for (int i = 0; i < n; ++i) {{ {SORTED} out[i] = r[0] > range.from && r[0] < range.to; }}",
    "in a helper": f"for (int i = 0; i < n - 4; ++i) {{ {SORTED} out[i] = spread(b + i) + r[0]; }}",
    "a table that the compiler makes": f"for (int i = 0; i < n; ++i) {{ {SORTED} out[i] = kSquares[b[i] & 15] + r[1]; }}",
}


def everything(function_task):
    return function_task(HEAD + SIGNATURE + " {\n" + "\n".join(f"{{ {body} }}" for body in BODIES.values()) + "\n}\n")


def test_the_emulator_finds_each_right(function_task, observer, bench):
    task = everything(function_task)
    found = verbatim(task, observer)
    assert not found.serial and len(found.launched) == len(BODIES)
    assert bench.differences(task, found.text([], Launches())) == []


def test_nvcc_takes_each(function_task, observer):
    require_built_by_nvcc(verbatim(everything(function_task), observer).text([], Launches()))


def test_a_type_that_names_what_its_function_has_is_refused_with_its_line(function_task, observer):
    loop = f"for (int i = 0; i < n; ++i) {{ {SORTED} out[i] = w.v[0] + r[0]; }}"
    body = f"\nconst int k = 3;\nstruct Row {{ int32_t v[k]; }};\nRow w{{}}; {loop}"
    task = function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n")
    with pytest.raises(CannotTransform, match="a type that a function declares") as refused:
        verbatim(task, observer)
    text = task.reference.source.text
    assert refused.value.line == text[: text.index("struct Row")].count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        "template <class T> void f(T* x) { struct S { T v; }; S s{x[0]}; x[1] = s.v; }",
        "void f(int* x) {\n#define K 3\nstruct S {\n#if K\nint v;\n#endif\n}; x[0] = sizeof(S); }",
        "void f(int* x) { auto g = [=](int v) { struct S { int w; } s{v}; return s.w; }; x[0] = g(1); }",
        "void f(int* x) { struct { int w; } s{4}; x[0] = s.w; }",
        "enum { A }; void f(int* x) { enum { A = 3 }; x[0] = A; }",
    ],
)
def test_left_where_it_is(text):
    assert before_their_functions(text) == text


def test_lines_stay():
    text = "int g;\nvoid f(int* x) {\n  struct S {\n    int w;\n  };\n  S s{4};\n  x[0] = s.w;\n}\n"
    moved = before_their_functions(text)
    assert moved.count("\n") == text.count("\n") and moved.split("\n")[6] == "  x[0] = s.w;"
    assert moved.split("\n")[1].startswith("struct S { int w; }; void f")
