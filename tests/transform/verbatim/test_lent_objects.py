"""Objects and numbers of the launcher that kernels change otherwise than by assigning to them: nothing of what they do is lost."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE, require_built_by_nvcc

HEAD = """
#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>
class Bag {
public:
    explicit Bag(int n) : at_(n), total_(0) {}
    void add(int x) { at_[x] += total_ % 3 + 1; total_ = total_ * 5 % 1009 + x; }
    void twice(int x) { add(x); add(x); }
    Bag& put(int x) { add(x); return *this; }
    Bag& operator+=(int x) { add(x); return *this; }
    void operator()(int x) { add(x); }
    int total() const { return total_; }
    int at(int k) const { return at_[k]; }

private:
    std::vector<int> at_;
    int total_;
};
struct Pair {
    Bag bag;
    int calls = 0;
    void add(int x) { bag.add(x); calls += x & 1; }
};
struct Flat {
    int t = 1;
    void add(int x) { t = t * 5 % 1009 + x; }
    int get() const { return t; }
};
class Keeper {
public:
    explicit Keeper(int n) : bag_(n), seen_(0) {}
    void all(int n, const int32_t* from) { for (int i = 0; i < n; ++i) bag_.add(from[i]); seen_ += n; }
    int total() const { return bag_.total() + seen_; }
    int at(int k) const { return bag_.at(k); }

private:
    Bag bag_;
    int seen_;
};
class Looper {
public:
    explicit Looper(int n) : at_(n), t_(0) {}
    void step(int x) { at_[x] += t_ % 3 + 1; t_ = t_ * 5 % 1009 + x; }
    void all(int n, const int32_t* from) { for (int i = 0; i < n; ++i) { step(from[i]); t_ += at_[0] & 1; } }
    int total() const { return t_; }
    int at(int k) const { return at_[k]; }

private:
    std::vector<int> at_;
    int t_;
};
struct Strange {
    int v;
    Strange& operator+=(int x) { v = v * 3 % 1009 + x; return *this; }
};
static void feed(Bag& to, int x) { to.add(x); }
static void feed_all(Bag& to, int n, const int32_t* from) { for (int i = 0; i < n; ++i) to.add(from[i]); }
struct Keep {
    std::vector<int> v;
    long long sum = 0;
};
static void fill_keep(Keep& k, const int32_t* p, int n) {
    for (int i = 0; i < n; ++i) { int y[2] = {p[i], 3}; std::sort(y, y + 2); k.v[i] = y[0]; k.sum += y[1]; }
}
static void total(const int32_t* p, int n, int& t) {
    for (int i = 0; i < n; ++i) { int y[2] = {p[i], 3}; std::sort(y, y + 2); t += y[0]; }
}
static void most_of(const int32_t* p, int n, int& t) {
    for (int i = 0; i < n; ++i) { int y[2] = {p[i], 3}; std::sort(y, y + 2); if (y[1] > t) t = y[1]; }
}
static void chain(const int32_t* p, int n, int& t) {
    for (int i = 0; i < n; ++i) { int y[2] = {p[i], 3}; std::sort(y, y + 2); t = (t * 5 + y[0]) % 1009; }
}
static void bump(int& t, int x) { int y[2] = {x, 3}; std::sort(y, y + 2); t = t * 5 % 1009 + y[0]; }
static std::pair<int, int> after(int p, int q, int x) { return {q, (p * 5 + x) % 1009}; }
"""
SHOWN = "aux[0] += g.total(); for (int k = 1; k < m; ++k) aux[k] += g.at(k);"
KINDS = {
    "a method": f"Bag g(m); for (int i = 0; i < n; ++i) g.add(a[i]); {SHOWN}",
    "one that calls another": f"Bag g(m); for (int i = 0; i < n; ++i) g.twice(a[i]); {SHOWN}",
    "one that returns a reference": f"Bag g(m); for (int i = 0; i < n; ++i) g.put(a[i]); {SHOWN}",
    "two loops": f"Bag g(m); for (int i = 0; i < n; ++i) g.add(a[i]); for (int i = 0; i < n; ++i) g.add(a[n - 1 - i]); {SHOWN}",
    "an operator that assigns": f"Bag g(m); for (int i = 0; i < n; ++i) g += a[i]; {SHOWN}",
    "the operator of a call": f"Bag g(m); for (int i = 0; i < n; ++i) g(a[i]); {SHOWN}",
    "a function that takes a reference": f"Bag g(m); for (int i = 0; i < n; ++i) feed(g, a[i]); {SHOWN}",
    "one with the loop": f"Bag g(m); feed_all(g, n, a); {SHOWN}",
    "a reference": f"Bag g(m); Bag& r = g; for (int i = 0; i < n; ++i) r.add(a[i]); {SHOWN}",
    "a reference of the loop's": f"Bag g(m); for (int i = 0; i < n; ++i) {{ auto& r = g; r.add(a[i]); }} {SHOWN}",
    "a lambda": f"Bag g(m); auto add = [&](int x) {{ g.add(x); }}; for (int i = 0; i < n; ++i) add(a[i]); {SHOWN}",
    "an object in an object": f"Pair p{{Bag(m), 0}}; for (int i = 0; i < n; ++i) p.add(a[i]); const Bag& g = p.bag; "
    f"aux[2] += p.calls; {SHOWN}",
    "that one itself": f"Pair p{{Bag(m), 0}}; for (int i = 0; i < n; ++i) p.bag.add(a[i]); const Bag& g = p.bag; {SHOWN}",
    "a method with the loop, of a field": f"Keeper g(m); g.all(n, a); {SHOWN}",
    "a method with the loop, of its own": f"Looper g(m); g.all(n, a); {SHOWN}",
    "an array of them": f"std::array<Bag, 2> two{{Bag(m), Bag(m)}}; for (int i = 0; i < n; ++i) two[i & 1].add(a[i]); "
    f"const Bag& g = two[1]; {SHOWN}",
    "an array of flat ones": "Flat g[3]; for (int i = 0; i < n; ++i) g[a[i] % 3].add(a[i]); for (int k = 0; k < 3; "
    "++k) aux[k] += g[k].get();",
    "one of the library's": "std::array<Flat, 3> g{}; for (int i = 0; i < n; ++i) g[a[i] % 3].add(a[i]); "
    "aux[0] += g[0].get() + g[2].get();",
    "a kernel and the launcher": "Flat g; for (int i = 0; i < n; ++i) g.add(a[i]); g.add(3); g.add(n); for (int i = 0; i < n; "
    "++i) g.add(a[i]); aux[1] += g.get();",
    "one turn of many": "Flat g; for (int i = 0; i < n; ++i) { int y[2] = {a[i], 3}; std::sort(y, y + 2); out[i] = y[0]; "
    "if (i == 3) g.add(a[i]); } "
    "aux[0] += g.get();",
    "a pair with a vector": "std::pair<std::vector<int>, int> g{std::vector<int>(m), 0}; for (int i = 0; i < n; ++i) "
    "{ g.first[a[i]] += g.second % 3 + 1; g.second = g.second * 5 % 1009 + a[i]; } aux[0] += g.second; for (int k = 1; k < m; "
    "++k) aux[k] += g.first[k];",
    "a whole array": "std::array<int, 4> c{}; for (int i = 0; i < n; ++i) { if (a[i] == 1) c.fill(i); c[a[i] & 3] += c[0] & 7; "
    "out[i] += c[1]; } aux[0] += c[2];",
    "its elements by reference": "int c[4] = {1, 2, 3, 4}; for (int i = 0; i < n; "
    "++i) { for (int& x : c) x = x * 3 % 101 + a[i]; out[i] += c[a[i] & 3]; } aux[0] += c[1];",
    "a number by a function's reference": "int t = 1; for (int i = 0; i < n; ++i) bump(t, a[i]); aux[0] += t;",
    "a number by a lambda": "int t = 1; auto add = [&](int x) { t = t * 5 % 1009 + x; }; for (int i = 0; i < n; ++i) add(a[i]); "
    "aux[0] += t;",
    "numbers that change places": "int p = 1, q = 2; for (int i = 0; i < n; ++i) { p += a[i]; if (p & 1) std::swap(p, q); "
    "out[i] += p; } aux[0] += p - q;",
    "a number that is taken out": "int last = 5; for (int i = 0; i < n; ++i) out[i] += std::exchange(last, (last + a[i]) & 7); "
    "aux[0] += last;",
    "a field that turns add to, beside a vector": "Keep k{std::vector<int>(n)}; for (int i = 0; i < n; ++i) { int y[2] = {a[i], 3}; "
    "std::sort(y, y + 2); k.v[i] = y[0]; k.sum += y[1]; } aux[0] += (int)k.sum; for (int i = 0; i < n; ++i) out[i] += k.v[i];",
    "one of a parameter that refers": "Keep k{std::vector<int>(n)}; fill_keep(k, a, n); aux[1] += (int)k.sum; out[0] += k.v[3];",
    "a sum by a parameter that refers": "int t = 5; total(a, n, t); total(b, n, t); aux[0] += t;",
    "the most by a parameter that refers": "int t = -5; most_of(a, n, t); most_of(b, n, t); aux[0] += t;",
    "a chain by a parameter that refers": "int t = 5; chain(a, n, t); chain(b, n, t); aux[0] += t;",
    "the best by a second name": "int most = -1; int& r = most; for (int i = 0; i < n; ++i) { int y[2] = {a[i], 3}; "
    "std::sort(y, y + 2); "
    "if (y[0] + b[i] > r) r = y[0] + b[i]; } aux[0] += most;",
    "the place of a loop, moved on by a function": "int k = 0; auto hop = [&] { ++k; }; for (k = 0; k < n; ++k) { out[k] += 1; "
    "if (a[k] == 0) hop(); }",
}
"""Name -> body: a loop in one thread, and for some of them one with threads."""


def blocks(kinds: dict[str, str]) -> str:
    text = "\n".join(f"{{ // {name}\n{body}\n}}" for name, body in kinds.items())
    # One loop has threads, whatever becomes of the others.
    last = "for (int i = 0; i < n; ++i) { int y[2] = {b[i], 3}; std::sort(y, y + 2); out[i] += y[1]; }"
    return f"{HEAD}{SIGNATURE} {{\n{text}\n{last}\n}}\n"


def test_what_kernels_change_is_there_behind_them(function_task, observer, bench):
    task = function_task(blocks(KINDS))
    found = verbatim(task, observer)
    assert bench.differences(task, found.text([found.independence], Launches())) == []


def test_nvcc_takes_them(function_task, observer):
    require_built_by_nvcc(verbatim(function_task(blocks(KINDS)), observer).text([], Launches()))


REFUSED = {
    "a pointer": (
        "Bag g(m); Bag* p = &g; for (int i = 0; i < n; ++i) p->add(a[i]); aux[0] = g.total();",
        "a kernel would be handed 'p'",
    ),
    "an operator of its own that is no sum": (
        "Strange t{1}; for (int i = 0; i < n; ++i) t += a[i]; aux[0] = t.v;",
        "turns update the object 't' by an operator of its class",
    ),
    "numbers that are tied": (
        "int p = 1, q = 2; for (int i = 0; i < n; ++i) std::tie(p, q) = after(p, q, a[i]); "
        "for (int i = 0; i < n; ++i) out[i] += a[i] * p;",
        "what is assigned to 'std::tie'",
    ),
    "objects of turns and of the launcher": (
        "Bag g(m); g.add(1); for (int i = 0; i < n; ++i) { Bag h(3); h.add(a[i] & 1); out[i] = h.total() + g.total(); }",
        "turns make a 'Bag'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_kept_is_refused(function_task, observer, name):
    body, why = REFUSED[name]
    with pytest.raises(CannotTransform, match=why):
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{\n{body}\n}}\n"), observer)
