"""Polynomials agree with arithmetic on numbers."""

from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from regrapht.records.expression import Expression
from regrapht.source.polynomial import Polynomial, add, divided, highest, multiply, names_in, quotient, written_out

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
    assert value((a * b).terms, row) == at(a, row) * at(b, row)
    assert a - a == Polynomial.constant(0)


def value(terms, row):
    return sum(factor * prod(row[name] for name in names) for names, factor in terms.items())


@given(polynomials, polynomials, polynomials, st.integers(-5, 5), rows)
@settings(max_examples=150, deadline=None)
def test_terms_agree_with_numbers(a, b, c, factor, row):
    first, second = dict(a.terms), dict(b.terms)
    assert value(first, row) == at(a, row)
    assert value(add(first, second, factor), row) == value(first, row) + factor * value(second, row)
    assert value(multiply(first, second), row) == value(first, row) * value(second, row)
    assert 0 not in add(first, second, factor).values() and names_in(first) == a.names
    put = {**row, "i": value(second, row), "m": value(c.terms, row)}
    assert value(written_out(first, {"i": second, "m": dict(c.terms)}), row) == value(first, put)


@given(polynomials, polynomials.filter(lambda one: one.terms))
@settings(max_examples=150, deadline=None)
def test_a_rest_holds_no_multiple_of_the_highest_term(a, b):
    found, rest = divided(a.terms, b.terms)
    top = highest(b.terms)
    assert add(multiply(found, b.terms), rest) == dict(a.terms)
    assert all(quotient(atoms, top) is None or value % b.terms[top] for atoms, value in rest.items())


@given(polynomials, st.lists(polynomials, max_size=3), rows)
@settings(max_examples=500, deadline=None)
def test_what_is_never_negative_where_others_are_positive(value, positive, row):
    if value.is_never_negative(positive) and all(at(one, row) >= 1 for one in positive):
        assert at(value, row) >= 0


def test_a_window_inside_of_a_row_leaves_room():
    w, h, r, two = (*map(Polynomial.name, "whr"), Polynomial.constant(2))
    room, below = w - two * r, h - two * r
    assert not room.is_never_negative() and room.is_never_negative([room])
    assert (room * below).is_never_negative([below, room]) and not (room * below).is_never_negative([below])
    assert not (room - r).is_never_negative([room]), "the window may leave less than its half"
    assert (w - r).is_never_negative([room]) and not (r - w).is_never_negative([room])


@given(polynomials, polynomials, rows)
@settings(max_examples=150, deadline=None)
def test_substitution_and_division(a, b, row):
    assert value(a.substitute("i", b).terms, row) == value(a.terms, {**row, "i": value(b.terms, row)})
    factor, rest = a.split("n")
    assert factor * Polynomial.name("n") + rest == a and "n" not in rest.names
    if b.terms:
        quotient, left = a.divide(b)
        assert quotient * b + left == a


def test_a_value_may_hold_the_name_that_it_replaces():
    i = Polynomial.name("i")
    moved = i + Polynomial.constant(1)
    assert i.substitute("i", moved) == moved
    assert (i * i).substitute("i", moved) == moved * moved
    assert (i * i * Polynomial.name("n")).substitute("i", i) == i * i * Polynomial.name("n")


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
