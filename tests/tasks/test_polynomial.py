"""Polynomials agree with arithmetic on numbers."""

from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.records.expression import Expression
from regrapht.tasks.inference.polynomial import Polynomial

NAMES = ("i", "m", "n")
monomials = st.lists(st.sampled_from(NAMES), max_size=3).map(lambda names: tuple(sorted(names)))
polynomials = st.dictionaries(monomials, st.integers(-9, 9).filter(bool), max_size=4).map(Polynomial)
rows = st.fixed_dictionaries({name: st.integers(1, 50) for name in NAMES})


def at(value, row):
    return Expression(str(value)).evaluate(row)


@given(polynomials, polynomials, rows)
@settings(max_examples=150, deadline=None)
def test_arithmetic(a, b, row):
    assert at(a + b, row) == at(a, row) + at(b, row)
    assert at(a - b, row) == at(a, row) - at(b, row)
    assert at(a * b, row) == at(a, row) * at(b, row)
    assert a - a == Polynomial.constant(0)


@given(polynomials, polynomials, rows)
@settings(max_examples=150, deadline=None)
def test_substitution_and_division(a, b, row):
    assert at(a.substitute("i", b), row) == at(a, {**row, "i": at(b, row)}) if "i" not in b.names else True
    factor, rest = a.split("n")
    assert factor * Polynomial.name("n") + rest == a and "n" not in rest.names
    if b.terms:
        quotient, left = a.divide(b)
        assert quotient * b + left == a


@given(polynomials, rows)
@settings(max_examples=300, deadline=None)
def test_never_negative_is_a_promise(a, row):
    if a.is_never_negative():
        assert at(a, row) >= 0


def test_bounds_that_are_needed():
    n, one = Polynomial.name("n"), Polynomial.constant(1)
    assert (n - one).is_never_negative() and not (n - one - one).is_never_negative()
    assert (n * n - n).is_never_negative()
    assert str(n * n - n + one) == "n * n + 1 - n" and str(-n) == "-n" and str(n - n) == "0"
