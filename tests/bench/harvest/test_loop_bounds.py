"""The tests that say how far an index goes, and those that do not."""

import pytest

from regrapht.bench.harvest.loop_bounds import read_bounds
from regrapht.source.functions import read_unit


def bounds(body, *variables):
    function = read_unit(f"void f(float* x, int n, int m) {{ {body} }}").functions[0]
    found = read_bounds(function.body, variables or ("i",), frozenset({"n", "m", "LIMIT"}))
    return {name: (bound.limit, bound.exact) for name, bound in found.items()}


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        ("if (i < n) x[i] = 1;", "n"),
        ("if (i >= n * m) return; x[i] = 1;", "n * m"),
        ("if (i <= n - 1) { x[i] = 1; }", "n - 1 + 1"),
        ("if (LIMIT > i) x[i] = 1;", "LIMIT"),
        ("if (i < (int)n) x[i] = 1;", "(int)n"),
        ("int all = n + m; if (i < all) x[i] = 1;", "(n + m)"),
        ("int j = i; if (j < n) x[j] = 1;", "n"),
        ("float v = 0; if (i < n) { v = x[i]; x[i] = v; } v = 1;", "n"),
    ],
)
def test_a_bound(body, limit):
    assert bounds(body) == {"i": (limit, True)}


@pytest.mark.parametrize(
    "body",
    [
        "x[0] = 1; if (i < n) x[i] = 1;",
        "if (i < n) x[i] = 1; x[i] = 2;",
        "if (i < n) x[i] = 1; else x[0] = 2;",
        "if (i < n || m) x[i] = 1;",
        "if (i >= n && m) return; x[i] = 1;",
        "if (i < x[0]) x[i] = 1;",
        "int k = n; k += i; if (i < k) x[i] = 1;",
        "int j = i; j += 1; if (j < n) x[j] = 1;",
        "if (i > n) x[i] = 1;",
        "put(x); if (i < n) x[i] = 1;",
    ],
)
def test_no_bound(body):
    assert bounds(body) == {}


def test_several_variables_and_negations():
    assert bounds("if (i >= n || j >= m) return; x[i] = 1;", "i", "j") == {"i": ("n", True), "j": ("m", True)}
    assert bounds("if (!(i < n && j < m)) return; x[i] = 1;", "i", "j") == {"i": ("n", False), "j": ("m", False)}
