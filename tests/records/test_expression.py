"""Expressions over sizes: the same value as Python's, exactness, and nothing but arithmetic."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.records.expression import Expression

NAMES = ("M", "N", "K")
atoms = st.sampled_from(NAMES) | st.integers(0, 99).map(str)
texts = st.recursive(
    atoms,
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "/"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        )
        | st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})")
        | inner.map(lambda text: f"-{text}")
    ),
    max_leaves=8,
)


@given(texts, st.fixed_dictionaries({name: st.integers(1, 10_000) for name in NAMES}))
@settings(max_examples=400, deadline=None)
def test_values_are_those_of_python(text, sizes):
    expression = Expression(text)
    assert expression.names == {name for name in NAMES if name in text}
    try:
        expected = eval(text, {"__builtins__": {}, "min": min, "max": max}, dict(sizes))
    except ArithmeticError:
        with pytest.raises(ValueError, match="has no value"):
            expression.evaluate(sizes)
        return
    found = expression.evaluate(sizes)
    assert found == expected and type(found) is type(expected)


def test_functions():
    assert Expression("ceil(log2(n))").evaluate({"n": 1000}) == 10
    assert Expression("max(n)").evaluate({"n": 3}) == 3
    assert math.isclose(Expression("5 * n * log2(n)").evaluate({"n": 1024}), 51200)


def test_lengths_are_whole_and_not_negative():
    assert Expression("n // 2").length({"n": 7}) == 3
    assert Expression("n / 2").length({"n": 8}) == 4
    for text, n in (("n / 2", 7), ("n - 9", 7)):
        with pytest.raises(ValueError, match="whole number of at least 0"):
            Expression(text).length({"n": n})


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "n +",
            "n ** 2",
            "n.real",
            "n[0]",
            "f(n)",
            "lambda: 1",
            "1.5",
            "'a'",
            "True",
            "n if n else 1",
            "n == 1",
            "max()",
        ),
        *(
            "log2(n, 2)",
            "ceil(1, 2)",
            "max(*n)",
            "max(n, key=n)",
            "__import__('os')",
            "(n := 1)",
            "n; n",
            "[n]",
            "~n",
            "+n",
            "n and n",
        ),
        *("(" * 300, "1" + "+1" * 400, "\0", "n\n+1"),
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError):
        Expression(text)


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_either_parses_or_is_a_value_error(text):
    try:
        Expression(text)
    except ValueError as error:
        assert str(error)


def test_a_missing_size_is_named():
    with pytest.raises(ValueError, match="needs the size K"):
        Expression("M * K").evaluate({"M": 1})
    assert Expression("M") == Expression("M") != Expression("K")
