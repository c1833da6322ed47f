"""Variables that a function declares on top and sets again for each loop, as C code has them: loops over them are launched, and right."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.liveness import is_named_elsewhere, is_read_elsewhere
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.scopes import Scopes, walk
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE, require_built_by_nvcc

HEAD = """
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
static void weights(int32_t* w, int k) { for (int i = 0; i < k; ++i) w[i] = (7 * i + 5) % 4; }
static int less_than(const int32_t* p, int v, int k) { int c = 0; while (k-- > 0) c += p[k] < v; return c; }
"""
SORTED = "r[0] = a[i]; r[1] = b[i]; r[2] = 4; std::sort(r, r + 3); "
BODIES = {
    "counters of C": f"int i, k, t; int32_t r[3]; for (i = 0; i < n; i++) {{ {SORTED} t = 0; for (k = 0; k < 3; k++) t += k * r[k]; "
    "out[i] = t; } for (i = 0; i < m; i++) { t = i; for (k = 0; k < 4; ++k) t = 3 * t + k; aux[i] += t; }",
    "a nest of them": f"int i, j, w = n / 4; int32_t r[3]; for (j = 0; j < 4; j++) for (i = 0; i < w; i++) {{ {SORTED} "
    "out[j * w + i] = r[1] + j; }",
    "one that is read behind": f"int i; int32_t r[3]; for (i = 3; i < n; i += 2) {{ {SORTED} out[i] = r[1]; }} out[0] = i;",
    "down": f"unsigned i; int32_t r[3]; for (i = (unsigned)n - 1; i > 0; --i) {{ {SORTED} out[i] = r[2]; }}",
    "two at a time": f"int i, at; int32_t r[3]; for (i = 0, at = n - 1; i < n; i++, at--) {{ {SORTED} out[at] = r[1] + a[i]; }}",
    "a pointer to its end": "const int32_t* p = b; int32_t* to = out; for (const int32_t* end = b + n / 4 * 4; p < end; p += 4, ++to) "
    "{ int32_t r[4] = {p[0], p[1], p[2], p[3]}; std::sort(r, r + 4); *to = r[1]; }",
    "pointers and their end in the header": "const int32_t* p = b; int32_t* to = out; for (const int32_t* end = p + n / 4 * 4; p < end; "
    "p += 4, to += 4) { int32_t r[4] = {p[0], p[1], p[2], p[3]}; std::sort(r, r + 4); to[0] = r[1]; }",
    "an array that is set before, and in part by turns": "int32_t w[6] = {4, 2}; std::memcpy(w + 2, a, 12); for (int i = 0; i < n; ++i) "
    "{ w[1] = b[i]; int32_t r[6]; std::memcpy(r, w, sizeof r); std::sort(r, r + 6); out[i] = r[2] + w[1]; }",
    "a place in what is a turn's own": "std::vector<int32_t> v(n / 8); const auto middle = v.begin() + n / 16; for (int i = 0; i < 8; ++i) "
    "{ for (int k = 0; k < n / 8; ++k) v[k] = b[8 * k + i]; std::nth_element(v.begin(), middle, v.end()); out[i] += *middle; }",
    "an array that a function fills": "int32_t w[4]; weights(w, 4); std::sort(w, w + 4); for (int i = 0; i < n; ++i) "
    "{ int32_t r[2] = {w[i & 3], a[i]}; std::sort(r, r + 2); out[i] += r[0]; }",
    "a pointer without a start": "int32_t *p = out, *end = out + n; for (; p != end; ++p) { int32_t r[3] = {*p, 5, 2}; "
    "std::sort(r, r + 3); *p = r[1]; } out[0] = (int32_t)(p - out);",
    "text of a turn's own": 'char line[24]; for (int i = 0; i < n / 8; ++i) { int k = snprintf(line, sizeof line, "%04d:", i); '
    'for (int s = 0; s < 3; ++s) k += snprintf(line + k, sizeof line - k, "%02x ", (unsigned)a[8 * i + s]); '
    "memcpy(out + 8 * i, line, 8); }",
    "sums of what functions give": f"int32_t r[3]; int sum = 0; for (int i = 0; i < n; ++i) {{ {SORTED} sum -= less_than(r, 5, 3); }} "
    "out[0] = sum;",
}


def everything(function_task):
    return function_task(HEAD + SIGNATURE + " {\n" + "\n".join(f"{{ {body} }}" for body in BODIES.values()) + "\n}\n")


def test_the_emulator_finds_each_right(function_task, observer, bench):
    task = everything(function_task)
    found = verbatim(task, observer)
    assert not [one for one in found.serial if one.is_long] and len(found.launched) == len(BODIES) + 1
    assert bench.differences(task, found.text([], Launches())) == []


def test_nvcc_takes_each(function_task, observer):
    require_built_by_nvcc(verbatim(everything(function_task), observer).text([], Launches()))


@pytest.mark.parametrize(
    "body",
    [
        "int t = 0; for (int i = 0; i < n; ++i) { if (a[i] > 1) t = b[i]; out[i] = t; }",
        "int t; for (int k = 0; k < 3; ++k) { if (k) out[0] += t; for (int i = 1; i < n; ++i) { t = a[i] + k; std::swap(out[i], t); } }",
        "int32_t w[3] = {1, 2, 3}; for (int i = 0; i < n; ++i) { w[0] = a[i]; std::sort(w, w + 2); out[i] = w[1]; } aux[0] = w[2] + w[0];",
        "int32_t w[3] = {1, 2, 3}; for (int k = 0; k < 3; ++k) { w[2] += k; out[k] += w[2]; w[2] = 9 * k; "
        "for (int i = 3; i < n; ++i) { w[2] = a[i]; std::swap(out[i], w[2]); } }",
        "int i; for (i = 0; i < n; i += 1 + (a[i] & 1)) { int32_t r[2] = {out[i], 3}; std::sort(r, r + 2); out[i] = r[0]; }",
    ],
)
def test_what_a_turn_leaves_to_others_is_refused(function_task, observer, body):
    with pytest.raises(CannotTransform):
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{ {body} }}\n"), observer)


@pytest.mark.parametrize(
    ("after", "is_read"),
    [
        ("", False),
        ("t = 4; x[1] = t;", False),
        ("for (t = 0; t < 4; ++t) x[t] = t;", False),
        ("if (n > 3) { t = 1; x[0] += t; }", False),
        ("{ int u; u = t = 2; x[0] = u + t; }", False),
        ("x[1] = t;", True),
        ("t += 2; x[1] = t;", True),
        ("if (n > 3) t = 1; x[0] = t;", True),
        ("for (int i = 0; i < n; ++i) { if (i == 2) t = 3; x[i] = t; }", True),
        ("t = t + 1;", True),
        ("take(&t);", True),
        ("switch (n) { case 1: t = 2; break; case 2: x[0] = t; }", True),
        ("auto f = [&] { return t; }; t = 2; x[0] = f();", True),
    ],
)
def test_reads_behind_a_loop(after, is_read):
    scopes = Scopes(
        f"void f(int n, int* x) {{ int t; for (int i = 0; i < n; ++i) {{ t = x[i]; x[i] = 2 * t; }} {after} }}", "f"
    )
    loop = next(n for n in scopes.source.walk() if n.type == "for_statement")
    declaration = scopes.visible(loop)["t"]
    assert is_read_elsewhere(scopes, loop, declaration, "t") is is_read
    assert is_named_elsewhere(scopes, loop, declaration, "t") is bool(after)


@pytest.mark.parametrize(
    ("around", "is_read"),
    [
        ("for (int k = 0; k < 3; ++k) { t = k; x[0] += t; LOOP }", False),
        ("for (int k = 0; k < 3; ++k) { x[0] += t; LOOP }", True),
        ("t = 0; for (int k = 0; k < 3; ++k) { x[0] += t; LOOP }", True),
        ("for (t = 0; t < 3; ++t) { LOOP }", True),
        ("for (int k = 0; k < 3; ++k) { LOOP t = 2; } x[0] = 3;", False),
    ],
)
def test_reads_in_a_later_turn_of_a_loop_around(around, is_read):
    loop = "for (int i = 0; i < n; ++i) { t = x[i]; x[i] = 2 * t; }"
    scopes = Scopes(f"void f(int n, int* x) {{ int t = 1; {around.replace('LOOP', loop)} }}", "f")
    found = next(
        n for n in walk(scopes.source.root) if n.type == "for_statement" and scopes.text(n).startswith("for (int i")
    )
    assert is_read_elsewhere(scopes, found, scopes.visible(found)["t"], "t") is is_read
