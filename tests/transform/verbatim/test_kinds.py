"""Kinds of loop that a pragma compiler takes and the reader refuses: scalar C++ in turns that do not meet. Each is launched, "
"and right."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE

HEAD = """
#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
struct Digits {
    int32_t at[4];
    int used;
};
static Digits digits_of(int32_t v) {
    Digits d{};
    do { d.at[d.used++] = v % 10; v /= 10; } while (v > 0 && d.used < 4);
    return d;
}
union Bits {
    float number;
    uint32_t pattern;
};
class Purse {
public:
    explicit Purse(int from) : held_(from) {}
    void add(int v) { held_ += v; }
    int held() const { return held_; }

private:
    int held_;
};
struct Rows {
    int32_t* at;
    int width;
};
static void put(Rows* to, int row, int v) { to->at[row * to->width] = v; }
namespace own_names {
static int thrice(int v) { return 3 * v; }
}
static constexpr int32_t kWeights[5] = {3, 1, 4, 1, 5};
static int halvings(int v) { return v <= 0 ? 0 : 1 + halvings(v / 2); }
static std::pair<int, int> halves(int v) { return {v / 2, v - v / 2}; }
"""
KINDS = {
    "a walking pointer": "const int32_t* from = b; int32_t* to = out; for (int i = 0; i < n; "
    "++i) { const auto* word = (const uint8_t*)from++; "
    "*to++ = word[0] ^ word[1]; }",
    "memset": "for (int i = 0; i < n / 4; ++i) { std::memset(out + 4 * i, 0, 4 * sizeof(int32_t)); out[4 * i + 1] = a[i]; }",
    "a helper that returns a struct with an array": "for (int i = 0; i < n; ++i) { const Digits d = digits_of(b[i]); "
    "for (int k = 0; k < d.used; ++k) out[i] += d.at[k]; }",
    "a lambda that holds a state of its own": "for (int i = 0; i < n; "
    "++i) { auto goes_on = [left = a[i]]() mutable { return left-- > 0; }; "
    "int c = 0; while (goes_on()) ++c; out[i] = c; }",
    "the middle of a few": "for (int i = 0; i < n / 5; ++i) { int32_t r[5]; for (int k = 0; k < 5; ++k) r[k] = b[5 * i + k]; "
    "std::nth_element(r, r + 2, r + 5); out[i] = r[2]; }",
    "bytes of a number": "for (int i = 0; i < n; ++i) { const auto* part = reinterpret_cast<const unsigned char*>(&b[i]); "
    "out[i] = part[0] + part[1]; }",
    "a loop over a table": "for (int i = 0; i < n; ++i) { Purse sum(0); for (const int32_t w : kWeights) sum.add(w * a[i]); "
    "out[i] = sum.held(); }",
    "a short row sorted down": "for (int i = 0; i < n / 5; ++i) { int32_t r[5]; std::copy(b + 5 * i, b + 5 * i + 5, r); "
    "std::sort(r, r + 5, std::greater<>()); out[i] = 2 * r[0] + r[4]; }",
    "a list of a length that data say": "for (int i = 0; i < n; ++i) { std::vector<int32_t> v; for (int k = 0; k < a[i]; "
    "++k) v.push_back(b[i] + k); "
    "out[i] = v.empty() ? -1 : v.back(); }",
    "names brought in": "using Few = Digits; using namespace own_names; for (int i = 0; i < n; ++i) { const Few d = digits_of(b[i]); "
    "out[i] = thrice(d.at[0]) + d.used; }",
    "a union": "for (int i = 0; i < n; ++i) { Bits v; v.number = (float)a[i]; out[i] = (int32_t)(v.pattern >> 23); }",
    "an object given by its address": "Rows to = {out, 1}; for (int i = 0; i < n; ++i) put(&to, i, a[i] - b[i] % 7);",
    "a vector filled from another type": "std::vector<int64_t> w(b, b + n); for (int i = 0; i < n; ++i) "
    "out[i] = (int32_t)(w[i] * 3 % 11) + halvings(a[i]);",
    "recursion": "for (int i = 0; i < n; ++i) out[i] = halvings(b[i]);",
    "two values taken apart": "for (int i = 0; i < n; ++i) { const auto [x, y] = halves(b[i]); out[i] = 3 * x + y; }",
    "a tuple": "for (int i = 0; i < n; ++i) { const auto t = std::make_tuple(a[i], b[i], 2); "
    "out[i] = std::get<0>(t) + std::get<1>(t) * std::get<2>(t); }",
    "an optional": "for (int i = 0; i < n; ++i) { std::optional<int> o; if (a[i] > 1) o = b[i]; out[i] = o.value_or(-1); }",
    "a small array with methods": "for (int i = 0; i < n; ++i) { std::array<int32_t, 3> r{a[i], b[i], 1}; "
    "std::sort(r.begin(), r.end()); out[i] = r[1]; }",
    "a lambda from outside": "Digits d{}; d.at[1] = 4; auto with = [&](int v) { return d.at[1] * v + halvings(v); }; "
    "auto twice = [&](int v) { return 2 * with(v); }; for (int i = 0; i < n; ++i) out[i] = twice(a[i]);",
    "sets of bits": "for (int i = 0; i < n; ++i) { std::bitset<70> s(5ull); s[i % 70] = true; s.set(69).flip(3); auto t = ~s >> 2; "
    't |= std::bitset<70>("1011"); t[1].flip(); s ^= t; s[2] = t[0]; out[i] = (int)s.count() + 100 * (int)(t & s).any() + '
    "200 * (int)(s == t) + 300 * (int)s.test(64) + (int)(s << 60 >> 61 & std::bitset<70>(1023)).to_ullong() + "
    "(t.none() ? 7 : 0) + (s[5] ? 1 : 0); }",
    "views of text": "const char* words = reinterpret_cast<const char*>(b); for (int i = 0; i < n / 2; ++i) { "
    "std::string_view w(words + 4 * i, 6); const std::basic_string_view<int32_t> v(a + i, 2); w.remove_prefix(1); int c = 0; "
    "for (const char x : w.substr(1, 3)) c = 5 * c + x; out[i] = c + (int)w.size() + v.front() + 2 * v.back() + (w.empty() ? 9 : w[0]); }",
    "a list walked backwards": "for (int i = 0; i < n; ++i) { std::vector<int32_t> v; int c = 0; "
    "for (int k = 0; k < 5; ++k) v.push_back(a[i] * k % 3); for (auto it = v.rbegin(); it != v.rend(); ++it) c = 3 * c + *it; "
    "const std::array<int32_t, 2> w{c, b[i]}; "
    "out[i] = w.back() - w.front() + (w.empty() ? 1 : 0); }",
    "algorithms in a turn": "for (int i = 0; i < n / 8; ++i) { const int32_t *p = b + 8 * i, *e = p + 8; int s = 0; Digits d{}; "
    "std::for_each(p, e, [&](int v) { s += v; d.at[v % 4]++; }); std::partial_sum(d.at, d.at + 4, d.at); "
    "out[i] = s + d.at[2] + std::inner_product(p, e, a + 8 * i, 0) + (int)(std::max_element(p, e, [](int x, int y) { return x % "
    "9 < y % 9; }) - p); }",
}


def everything(function_task):
    return function_task(HEAD + SIGNATURE + " {\n" + "\n".join(f"{{ {body} }}" for body in KINDS.values()) + "\n}\n")


def test_the_reader_refuses_most(function_task):
    """Else they were no kinds for here: proofs come first."""
    tasks = {name: function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n") for name, body in KINDS.items()}
    taken = {name for name, task in tasks.items() if Engine().refusal(task) is None}
    assert len(KINDS.keys() - taken) >= 12, f"the reader takes {sorted(taken)}"


def test_the_emulator_finds_each_right(function_task, observer, bench):
    task = everything(function_task)
    found = verbatim(task, observer)
    assert not found.serial and len(found.launched) == len(KINDS)
    assert bench.differences(task, found.text([found.independence], Launches())) == []


def test_nvcc_takes_each(function_task, observer):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    text = verbatim(everything(function_task), observer).text([], Launches())
    built = compiles(text, choose_sandbox(), nvcc)
    assert built.content is not None, built.completed.stderr[-2000:]


def test_a_copy_of_what_changes_is_refused(function_task, observer):
    closure = "int k = 1; auto times = [k](int v) { return k * v + halvings(v); }; k = 5; "
    body = closure + "for (int i = 0; i < n; ++i) out[i] = times(a[i]); aux[0] = k;"
    with pytest.raises(CannotTransform, match="'times' holds a copy of a variable that changes"):
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n"), observer)


HELPERS = """
static int place(const std::vector<int32_t>& v, int k) { for (int i = 0; i < (int)v.size(); ++i) if (v[i] == k) return i; return -1; }
static int weighed(const std::vector<int32_t>& v, int k) {
    int s = 0;
    for (size_t i = 0; i < v.size(); ++i) s += v[i] * (k + (int)i);
    return s;
}
static void raise(std::vector<int32_t>& v, int by) { for (auto& e : v) e += by; }
static void twice(std::vector<int32_t>& v) { raise(v, 1); raise(v, 2); }
"""
HANDED = {
    "vectors of a turn and of all": "std::vector<int32_t> t(n); for (int i = 0; i < n; ++i) { std::vector<int32_t> w; w.push_back(a[i]);"
    " w.push_back(2); std::sort(w.begin(), w.end()); t[i] = weighed(w, i); } for (int i = 0; i < n; ++i) out[i] = weighed(t, i % 5);",
    "functions that launch, in functions that launch": "std::vector<int32_t> t(n); for (int i = 0; i < n; ++i) { std::vector<int32_t> w;"
    " w.push_back(a[i]); std::sort(w.begin(), w.end()); t[i] = w[0]; } twice(t); for (int i = 0; i < n; ++i) out[i] = t[i];",
}


@pytest.mark.parametrize("name", HANDED)
def test_vectors_are_handed_on(function_task, observer, bench, name):
    text = f"{HEAD}{HELPERS}{SIGNATURE} {{ {HANDED[name]} }}\n"
    task = function_task(text)
    program = verbatim(task, observer).text([], Launches())
    assert bench.differences(task, program) == []
    if find_nvcc() is not None:
        built = compiles(program, choose_sandbox(), find_nvcc())
        assert built.content is not None, built.completed.stderr[-2000:]


def test_a_return_from_inside_of_one_thread_is_refused(function_task, observer):
    """It would end the kernel, and not the function."""
    body = "std::vector<int32_t> v(n); for (int i = 0; i < n; ++i) v[i] = a[i]; aux[0] = 1; const int at = place(v, 2); out[0] = at;"
    with pytest.raises(CannotTransform, match="leaves the function from inside of it"):
        verbatim(function_task(f"{HEAD}{HELPERS}{SIGNATURE} {{ {body} }}\n"), observer)


@pytest.mark.parametrize(
    "body",
    [
        "const int s = std::accumulate(b, b + n, 0); out[0] = s;",
        "std::sort(out, out + n); for (int i = 0; i < m; ++i) aux[i] = 1;",
        "std::vector<int32_t> v(n); for (int i = 0; i < n; ++i) v[i] = a[i]; const int s = total(v); out[0] = s;",
    ],
)
def test_algorithms_of_whole_ranges_stay_the_readers(function_task, observer, body):
    """The host must not read device memory, and one thread that sorts everything is named."""
    total = "static int total(const std::vector<int32_t>& v) { return std::accumulate(v.begin(), v.end(), 0); }\n"
    task = function_task(f"{HEAD}#include <numeric>\n{total}{SIGNATURE} {{ {body} }}\n")
    try:
        assert any("of a whole range" in one.reason and one.is_long for one in verbatim(task, observer).serial)
    except CannotTransform as refused:
        assert "of a whole range" in str(refused)
