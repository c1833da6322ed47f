"""Structs that go to a call by value, or that a call gives, straight from and to the places that turns share: turns that meet are seen.

The compiler's hooks are at assignments; what a call takes from memory and gives to memory is none.
"""

import pytest

from .conftest import verdicts

pytestmark = pytest.mark.slow

BEFORE = """
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <utility>
#include <vector>
template <int N> struct Cell {
    int part[N];
    Cell moved(int by) const { Cell c = *this; for (int& p : c.part) p += by; return c; }
    void take(Cell other) { for (int k = 0; k < N; ++k) part[k] = part[k] / 2 + other.part[k]; }
};
template <int N> Cell<N> operator+(Cell<N> a, Cell<N> b) { for (int k = 0; k < N; ++k) a.part[k] = a.part[k] / 2 + b.part[k]; return a; }
template <int N> Cell<N> operator-(const Cell<N>& a, const Cell<N>& b) {
    Cell<N> c;
    for (int k = 0; k < N; ++k) c.part[k] = a.part[k] / 2 - b.part[k];
    return c;
}
template <int N> Cell<N> operator-(Cell<N> a) { for (int& p : a.part) p = -p; return a; }
template <int N> static Cell<N> made(int x) { Cell<N> c; for (int k = 0; k < N; ++k) c.part[k] = x + k; return c; }
template <int N> __attribute__((noinline)) static Cell<N> blended(Cell<N> a, int x) { for (int& p : a.part) p = p / 2 + x; return a; }
template <int N> __attribute__((noinline)) static int sum_of(Cell<N> a) { int s = 0; for (int p : a.part) s += p; return s; }
template <int N> __attribute__((noinline)) static int sum_seen(const Cell<N>& a) { int s = 0; for (int p : a.part) s += p; return s; }
template <int N> struct Total { int at; explicit Total(Cell<N> a) : at(sum_seen(a)) {} };
struct Adds { template <int N> int operator()(Cell<N> a, int x) const { return sum_seen(a) + x; } };
template <int N> struct Pair { Cell<N> first, second; };
typedef std::complex<float> Complex;
"""
MEETING = {"PLACE": "a[i]", "OTHER": "(i + 1) % n"}
APART = {"PLACE": "i", "OTHER": "i"}
SIZES = {"4 bytes": 1, "8 bytes": 2, "12 bytes": 3, "16 bytes": 4, "40 bytes": 10}
CELLS = "std::vector<Cell<N>> c(n + m); "
FORMS = {
    "a call of itself": "c[PLACE] = blended(c[PLACE], b[i]); out[i] = 1;",
    "what a call gives": "c[PLACE] = made<N>(b[i]); out[i] = 1;",
    "what a method gives": "c[PLACE] = made<N>(2).moved(b[i]); out[i] = 1;",
    "a method of itself": "c[PLACE] = c[PLACE].moved(b[i]); out[i] = 1;",
    "a method's parameter": "Cell<N> own = made<N>(i); own.take(c[OTHER]); out[i] = own.part[0]; c[i].part[0] = i;",
    "one of two calls": "c[PLACE] = b[i] > 3 ? made<N>(b[i]) : made<N>(1).moved(2); out[i] = 1;",
    "an operator by value": "c[PLACE] = c[PLACE] + made<N>(b[i]); out[i] = 1;",
    "an operator by reference": "c[PLACE] = made<N>(3) - made<N>(b[i]); out[i] = 1;",
    "a prefix": "c[PLACE] = -c[PLACE]; out[i] = 1;",
    "a chain": "c[PLACE] = made<N>(3) + made<N>(b[i]) + made<N>(i); out[i] = 1;",
    "through a pointer": "Cell<N>* at = c.data() + PLACE; *at = blended(*at, b[i]); out[i] = 1;",
    "through a reference": "Cell<N>& at = c[PLACE]; at = made<N>(b[i]); out[i] = 1;",
    "a part of a larger one": "pairs[PLACE].second = made<N>(b[i]); out[i] = 1;",
    "by an arrow": "Pair<N>* at = &pairs[PLACE]; at->first = made<N>(b[i]); out[i] = 1;",
    "read by a call": "out[i] = sum_of(c[OTHER]); c[i].part[0] = i;",
    "read by a call, in parentheses": "out[i] = sum_of((c[OTHER])); c[i].part[0] = i;",
    "read by a call, one of two": "out[i] = sum_of(b[i] > 3 ? c[OTHER] : c[i]); c[i].part[0] = i;",
    "read by a lambda": "out[i] = by_value(c[OTHER], 1); c[i].part[0] = i;",
    "read by a functor": "Adds adds; out[i] = adds(c[OTHER], 1); c[i].part[0] = i;",
    "read by a constructor": "Total<N> total(c[OTHER]); out[i] = total.at; c[i].part[0] = i;",
    "read by a constructor, in braces": "Total<N> total{c[OTHER]}; out[i] = total.at; c[i].part[0] = i;",
    "read by a constructor of no name": "out[i] = Total<N>(c[OTHER]).at; c[i].part[0] = i;",
    "read by an operator": "out[i] = sum_seen(c[OTHER] + made<N>(2)); c[i].part[0] = i;",
    "read for a return": "out[i] = returned(OTHER).part[0]; c[i].part[0] = i;",
}
COMPLEX = {
    "complex products": "z[PLACE] = Complex(2, 1) * Complex(b[i], 3); out[i] = 1;",
    "complex sums": "z[PLACE] = Complex(2, 1) + Complex(b[i], 3); out[i] = 1;",
    "complex numbers from polar ones": "z[PLACE] = std::polar(1.0f, (float)b[i]); out[i] = 1;",
    "a conjugate": "z[PLACE] = std::conj(Complex(b[i], 3)); out[i] = 1;",
    "a pair": "q[PLACE] = std::pair<int, int>(b[i], 3); out[i] = 1;",
    "an array": "s[PLACE] = std::array<int, 3>{b[i], 3, 4}; out[i] = 1;",
}
LOOP = "for (int i = 0; i < n; ++i) { BODY } "
AFTER = "for (int k = 0; k < m; ++k) aux[k] = sum_seen(c[k]) + sum_seen(pairs[k].first) + sum_seen(pairs[k].second);"


def bodies(places):
    made = {}
    for size, count in SIZES.items():
        for name, body in FORMS.items():
            before = CELLS + "std::vector<Pair<N>> pairs(n + m); "
            before += "auto by_value = [](Cell<N> x, int y) { return sum_seen(x) + y; }; auto returned = [&](int k) { return c[k]; }; "
            made[f"{name}, {size}"] = (before + LOOP.replace("BODY", body) + AFTER).replace("<N>", f"<{count}>")
    for name, body in COMPLEX.items():
        kept = "std::vector<Complex> z(n + m); std::vector<std::pair<int, int>> q(n + m); std::vector<std::array<int, 3>> s(n + m); "
        made[name] = (
            kept
            + LOOP.replace("BODY", body)
            + "for (int k = 0; k < m; ++k) aux[k] = (int)z[k].real() + q[k].first + s[k][0];"
        )
    for word, place in places.items():
        made = {name: body.replace(word, place) for name, body in made.items()}
    return made


NAMES = list(bodies({}))


@pytest.fixture(scope="module")
def meeting(observer):
    return verdicts(observer, BEFORE, bodies(MEETING))


@pytest.fixture(scope="module")
def apart(observer):
    return verdicts(observer, BEFORE, bodies(APART))


@pytest.mark.parametrize("name", NAMES)
def test_turns_that_meet_are_seen(name, meeting):
    assert isinstance(meeting[name], str) and "the loop's turns depend on each other" in meeting[name], meeting[name]


@pytest.mark.parametrize("name", NAMES)
def test_turns_that_keep_apart_are_taken(name, apart):
    assert not isinstance(apart[name], str), apart[name]
