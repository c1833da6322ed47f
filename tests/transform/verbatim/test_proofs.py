"""Loops whose bodies nobody understands and whose turns are proved apart by subscripts alone; and those that only look so."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.engine import Engine
from regrapht.transform.verbatim.counting import counted, nested
from regrapht.transform.verbatim.proofs import is_proved
from regrapht.transform.verbatim.scopes import Scopes

from .conftest import SIGNATURE

HEAD = """#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>
struct Pair { int32_t at[2]; };
struct View { int32_t* to; };
static Pair pair_of(int32_t v) { return Pair{{v / 2, v % 2}}; }
static int32_t least(const int32_t* from, int32_t n) { return *std::min_element(from, from + n); }
static void bump(int32_t& v) { ++v; }
static void put(int32_t* to, int32_t v) { *to = v; }
"""
APART = {
    "an element each": "for (int i = 0; i < n; ++i) { int32_t r[2] = {a[i], 1}; std::sort(r, r + 2); out[i] = r[0]; }",
    "read and written in place": "for (int i = 0; i < n; ++i) { const Pair p = pair_of(out[i]); out[i] = p.at[0] + 3 * p.at[1]; }",
    "downwards": "for (int i = n - 1; i >= 0; --i) out[n - 1 - i] = least(a, 1 + i % 2);",
    "four to a turn": "for (int i = 0; i < n / 4; ++i) for (int k = 0; k < 4; ++k) { const Pair p = pair_of(b[4 * i + k]); "
    "out[4 * i + k] = p.at[1]; }",
    "by hand": "for (int i = 0; i < n / 3; ++i) { out[3 * i] = least(a + i, 1); out[3 * i + 2] = 1; out[3 * i + 1] = 0; }",
    "rows of a length that is given": "for (int64_t i = 0; i < n / m; ++i) for (int x = 0; x < m; "
    "++x) out[i * m + x] = pair_of(b[x]).at[0];",
    "by a place with a name": "for (int i = 0; i < n / 2; ++i) { const size_t at = 2 * (size_t)i; "
    "out[at] = pair_of(a[i]).at[0]; out[at + 1] = least(b, 1); }",
    "by pointers to arrays of their own": "int32_t* p = out + n / 2; const int32_t* q = a; for (int i = 0; i < n / 2; ++i) "
    "p[i] = pair_of(q[i + 1]).at[0] + b[i];",
    "moved along": "for (int i = 0; i + 1 < n; ++i) { int32_t v = a[i]; bump(v); out[i + 1] = v; }",
}
NOT_APART = {
    "cut to 8 bits": "for (int i = 0; i < n; ++i) { const uint8_t k = (uint8_t)(i * 7); out[k] = pair_of(a[i]).at[0]; }",
    "cut to 16 bits": "for (int i = 0; i < n; ++i) { const uint16_t k = i; out[k] = pair_of(a[i]).at[0]; }",
    "a stride that wraps": "for (uint32_t i = 0; i < (uint32_t)n; ++i) out[i * 65536 * 65536] = pair_of(a[i]).at[0];",
    "by data": "for (int i = 0; i < n; ++i) aux[a[i]] = 1;",
    "a neighbour is read": "for (int i = 0; i + 1 < n; ++i) out[i] = out[i + 1];",
    "five to four": "for (int i = 0; i < n / 4 - 1; ++i) for (int k = 0; k < 5; ++k) out[4 * i + k] = k;",
    "rows that overlap": "for (int i = 0; i < n / m - 1; ++i) for (int x = 0; x < m + 1; ++x) out[i * m + x] = x;",
    "always the same": "for (int i = 0; i < n; ++i) out[0] = a[i];",
    "two strides": "for (int i = 0; i < n / 2; ++i) { out[i] = 1; out[2 * i] = 2; }",
    "a stride that may be nothing": "for (int i = 0; i < n; ++i) out[i * (m - m)] = i;",
    "an alias": "for (int i = 0; i < n; ++i) { int32_t* p = out; p[0] = a[i]; }",
    "an alias by auto": "for (int i = 0; i < n; ++i) { auto p = out + i / 2; *p = a[i]; }",
    "a reference": "for (int i = 1; i < n; ++i) { int32_t& v = out[i]; (&v)[-1] = 1; }",
    "a pointer handed over": "for (int i = 1; i < n; ++i) put(out + i - 1, out[i]);",
    "an address handed over": "for (int i = 1; i < n; ++i) put(&out[i] - 1, a[i]);",
    "a scalar changed through a reference": "int32_t c = 0; for (int i = 0; i < n; ++i) { bump(c); out[i] = c; }",
    "a scalar changed by a closure": "int32_t c = 0; for (int i = 0; i < n; ++i) { [&] { ++c; }(); out[i] = c; }",
    "a view": "const View v{out}; for (int i = 0; i < n; ++i) { v.to[0] = i; out[i] = 1; }",
    "a pointer that counts": "for (int32_t* p = out; p < out + n - 1; ++p) p[1] = p[0];",
    "a counter": "int c = 0; for (int i = 0; i < n; ++i) { out[i] = c; c += a[i]; }",
    "const cast away": "for (int i = 0; i < n; ++i) { const_cast<int32_t*>(a)[0] = i; out[i] = a[i]; }",
    "an end of two conditions": "for (int i = 0; i < n / 4; ++i) for (int k = 0; k < 4 && k <= i; ++k) "
    "out[4 * i + k] = pair_of(b[k]).at[1];",
    "an end that moves": "for (int i = 0; i < n / 4; ++i) for (int k = 0; k < 4 - k; ++k) out[4 * i + k] = pair_of(b[k]).at[1];",
    "bits of bytes": "std::vector<bool> v(n); for (int i = 0; i < n; ++i) v[i] = a[i] > 1; out[0] = v[0];",
    "two pointers to one array": "int32_t* p = out; int32_t* q = out + 1; for (int i = 0; i + 1 < n; ++i) p[i] = q[i];",
    "one to read by": "const int32_t* q = out; for (int i = 1; i < n; ++i) out[i] = q[i - 1];",
    "one by another": "int32_t* p = out; int32_t* q = p; q += 1; for (int i = 0; i + 1 < n; ++i) p[i] = q[i];",
    "one that is chosen": "int32_t* p = m > 3 ? out : aux; for (int i = 1; i < m; ++i) p[i] = out[i - 1];",
    "one that is set": "int32_t* p; p = out + 1; for (int i = 0; i + 1 < n; ++i) p[i] = out[i];",
    "one of a cast": "const auto* q = (const int32_t*)out; for (int i = 1; i < n; ++i) out[i] = q[i - 1];",
    "one of a call": "std::vector<int32_t> v(n); int32_t* p = v.data(); for (int i = 1; i < n; ++i) p[i] = v[i - 1];",
    "a constant that another name changes": "const int32_t& first = out[3]; for (int i = 0; i < n; ++i) out[i] = first;",
    "a vector by another name": "std::vector<int32_t> v(n); auto& w = v; for (int i = 1; i < n; ++i) w[i] = v[i - 1];",
    "swapped": "int32_t c = 0; for (int i = 0; i < n; ++i) { int32_t d = a[i]; std::swap(c, d); out[i] = d; }",
}


def proved(task) -> bool:
    scopes = Scopes(task.reference.source.text, "f")
    loop = next(n for n in scopes.source.walk(scopes.entry) if n.type == "for_statement")
    return is_proved(scopes, task, nested(scopes, counted(scopes, loop))[:1])


@pytest.mark.parametrize("name", APART)
def test_apart(function_task, name):
    assert proved(function_task(f"{HEAD}{SIGNATURE} {{ {APART[name]} }}\n"))


@pytest.mark.parametrize("name", NOT_APART)
def test_not_shown_to_be_apart(function_task, name):
    assert not proved(function_task(f"{HEAD}{SIGNATURE} {{ {NOT_APART[name]} }}\n"))


@pytest.mark.parametrize("before", ["#define PUT out[0] = 1;\n", "static int32_t kept;\n", '#include "own.h"\n'])
def test_what_is_not_seen_proves_nothing(function_task, before):
    assert not proved(function_task(f"{HEAD}{before}{SIGNATURE} {{ {APART['an element each']} }}\n"))


def test_a_proved_program_needs_no_run_and_counts_where_proofs_alone_do(function_task):
    task = function_task(f"{HEAD}{SIGNATURE} {{ {APART['an element each']} }}\n")
    engine = Engine(proved=True)
    assert "independence proved by its subscripts" in engine.text(task, engine.plain(task))
    other = function_task(f"{HEAD}{SIGNATURE} {{ {APART['an element each'].replace('out[i]', 'aux[a[i]]')} }}\n")
    with pytest.raises(CannotTransform):
        Engine(proved=True).plain(other)
