"""Sequential code behind pointers: which code keeps its loops, which is left to the copying wrapper."""

import pytest

from regrapht.bench.importers.cpp_interface import read_signature
from regrapht.bench.importers.direct_body import direct_function
from regrapht.bench.importers.pareval_reference import flatten


def direct(
    body, signature="void f(std::vector<double> const& x, std::vector<double> &y)", *, out=("y",), more="", above=""
):
    flat = flatten(read_signature(signature + " {", above), sizes=("n",), extent={}, letters=None, out=out)
    declared = signature.replace(" f(", " NO_INLINE correctF(")
    return direct_function(flat, f"#include <vector>\n// {body}\n{declared} {{ {body} }}\n{more}", "correctF")


def test_indexed_code_keeps_its_loops():
    text = direct("for (size_t i = 0; i < x.size(); ++i) { y[i] = 2 * x[i]; }")
    assert text is not None and "for (size_t i = 0; i < n; ++i)" in text and "zero_at" not in text
    assert text.startswith("void f(int n, const double* x, double* y) {")


@pytest.mark.parametrize(
    "body", ["y[0] += x[0];", "y[0] = x[0]; y[1] -= 1;", "y[0] = x[0]; y[1] = y[0] + 1;", "++y[x.size() - 1];"]
)
def test_what_is_read_or_added_to_starts_at_zero(body):
    text = direct(body)
    assert text is not None and "zero_at < n; ++zero_at) y[zero_at] = 0;" in text


def test_an_inout_array_is_left_as_it_comes():
    text = direct("x[0] = 1 + x[x.size() - 1];", "void f(std::vector<double> &x)", out=())
    assert text is not None and "zero_at" not in text and "x[n - 1]" in text


@pytest.mark.parametrize(
    "body",
    [
        "y = x;",
        "std::vector<double> z = x; y[0] = z[0];",
        "for (double v : x) y[0] += v;",
        "std::copy(x.begin(), x.end(), y.begin());",
        "y.resize(x.size());",
        "const double* p = &x[0]; y[0] = *p;",
        "auto g = [&x]() { return x[0]; }; y[0] = g();",
    ],
)
def test_other_uses_of_a_container_are_left_to_the_wrapper(body):
    assert direct(body) is None


def test_a_comparison_is_no_address():
    assert direct("if (x.size() > 1 && x[0] > 0) y[0] = 1; else y[0] = 0;") is not None


def test_a_second_function_is_left_to_the_wrapper():
    assert direct("y[0] = x[0];", more="int g() { return 1; }") is None


@pytest.mark.parametrize(
    ("signature", "above"),
    [
        ("bool f(std::vector<bool> const& x)", ""),
        ("int f(std::vector<std::string> const& x)", ""),
        ("double f(std::vector<Point> const& x)", "struct Point { double x, y; };"),
        ("double f(std::vector<std::complex<double>> const& x)", ""),
    ],
)
def test_containers_of_other_elements_are_left_to_the_wrapper(signature, above):
    found = read_signature(signature + " {", above)
    flat = flatten(found, sizes=("n",), extent={}, letters=4, out=())
    assert direct_function(flat, f"{signature.replace(' f(', ' correctF(')} {{ return x[0]; }}", "correctF") is None
