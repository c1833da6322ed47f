"""Comparisons over sizes, without running anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrapht.records.requirement import Requirement, satisfies


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
def test_comparisons_are_those_of_python(n, m, operator):
    assert Requirement(f"n {operator} 2 * m").holds({"n": n, "m": m}) == eval(f"{n} {operator} 2 * {m}")


def test_chains_and_lists():
    assert satisfies(["3 <= n <= m", "n % 4 == 0"], {"n": 4, "m": 4})
    assert not satisfies(["3 <= n <= m"], {"n": 5, "m": 4})
    assert not satisfies(["3 <= n <= m"], {"n": 2, "m": 4})
    assert satisfies([], {})
    assert Requirement("K <= min(N, 64)").names == {"K", "N"}


@pytest.mark.parametrize(
    "text", ["", "n", "n < ", "n in m", "n is m", "n < m and m < k", "not n", "n < f(m)", "n < 1.5", "(" * 500]
)
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError):
        Requirement(text)


def test_a_missing_size_is_named():
    with pytest.raises(ValueError, match="needs the size m"):
        satisfies(["n < m"], {"n": 1})
