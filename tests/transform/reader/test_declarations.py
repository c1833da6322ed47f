"""Every way to write what a local begins with means the same."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.engine import Engine
from regrapht.transform.reader.function_reader import read_function
from tests.transform.verbatim.conftest import SIGNATURE, task_of

VALUES = (
    "int k{0};", "int k{};", "int k = {0};", "int k = {};", "int k(0);", "int k = int(0);", "int k = int{0};", "int k = int{};",
    "int k = int();", "auto k{0};", "auto k = int{0};", "const int k{2};", "int k{0}, j{1};", "unsigned k{0u};", "int32_t k{a[i]};",
    "double k{0.5};", "bool k{true};", "std::size_t k{3};", "int k; k = {3};", "static const int k{2};", "constexpr int k{2};",
    "int k({4});", "int k{a[i]}; k = {k + 2};", "const int& k{a[i]};", "const int& k = a[i];", "const int* p{a}; int k = p[i];",
    "const int* p(a); int k = p[i];", "const int *p{a + i}, k{p[0]};", "int k(m);", "int k(a[i]);", "int k(m * 2 + a[i]);",
    "double k(m);", "using I = int; I k{2};", "typedef int Whole; Whole k = {a[i]};", "long k{}; k += 2;", "auto p{a + i}; int k{*p};",
    "int k = std::int32_t{a[i]};", "long long k{a[i] + 1LL};", "int x[2]{1, 2}; int k = x[1];", "int x[2] = {1, 2}; int k{x[1]};",
)  # fmt: skip
LOOPS = (
    "for (int i{0}; i < n; ++i)", "for (int i(0); i < n; ++i)", "for (int i = {0}; i < n; ++i)", "for (int i{}; i < n; ++i)",
    "for (auto i{0}; i < n; ++i)", "for (int i{0}, e{n}; i < e; ++i)", "for (int i = int{0}; i < n; ++i)",
    "for (int i = int(); i < n; ++i)", "int i{0}; for (; i < n; ++i)", "for (std::size_t i{0}; i < std::size_t(n); ++i)",
    "const int e{n}; for (int i{0}; i != e; i += 1)",
    "int e(n); for (int i{0}; i < e; ++i)", "for (int i{n - 1}; i >= 0; --i)", "int i; for (i = {0}; i < n; ++i)",
)  # fmt: skip
HEAD = "#include <cstddef>\n#include <cstdint>\n"


@pytest.mark.parametrize("value", VALUES)
def test_a_local_in_a_turn(value):
    task = task_of(f"{HEAD}{SIGNATURE} {{ for (int i = 0; i < n; ++i) {{ {value} out[i] += (int)k; }} }}\n")
    assert Engine().refusal(task) is None


@pytest.mark.parametrize("loop", LOOPS)
def test_the_head_of_a_loop_with_threads(loop):
    task = task_of(f"{HEAD}{SIGNATURE} {{ {loop} out[i] += a[i]; }}\n")
    engine = Engine()
    text = engine.text(task, engine.plain(task))
    assert "<<<1, 1>>>" not in text


def test_they_are_right(bench):
    values = "\n".join(f"for (int i = 0; i < n; ++i) {{ {value} out[i] = out[i] * 3 + (int)k; }}" for value in VALUES)
    loops = "\n".join(f"{{ {loop} out[i] += 2 * a[i]; }}" for loop in LOOPS)
    task = task_of(f"{HEAD}{SIGNATURE} {{\n{values}\n{loops}\n}}\n")
    engine = Engine()
    assert bench.differences(task, engine.text(task, engine.plain(task))) == []


def test_a_name_of_two_types_is_refused():
    helper = "static int f1(int v) { using T = float; T x = v / 2.0f; return (int)(2 * x); }\n"
    loop = "for (int i = 0; i < n; ++i) { using T = int; T x = a[i] / 2; out[i] = x + f1(i); }"
    with pytest.raises(CannotTransform, match="'T'"):
        read_function(f"{HEAD}{helper}{SIGNATURE} {{ {loop} }}\n", "f")


@pytest.mark.parametrize("value", ["int k{1, 2};", "int k = {a[i], 3};", "float k(1, 2);"])
def test_more_than_one_value_is_no_number(value):
    with pytest.raises(CannotTransform, match="line 3"):
        read_function(f"{HEAD}{SIGNATURE} {{ for (int i = 0; i < n; ++i) {{ {value} out[i] = (int)k; }} }}\n", "f")
