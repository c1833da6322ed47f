"""Memory that a function makes and frees: on the device where the launcher makes it, in a turn's scratch where a turn does."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.own_memory import with_memory_as_vectors
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE, require_built_by_nvcc

HEAD = """
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>
struct Elements { int* at; int get(int i) const { return at[i]; } void put(int i, int x) { at[i] = x; } };
struct Parts { int first[600]; };
static const int kTable[3] = {3, 1, 2};
static int of_rows(const int* row, int i) { return row[i % 3]; }
static void turned(int n, const int* from, int* to) { for (int i = 0; i < n; ++i) to[i ^ 0] = from[n - 1 - i]; }
static int* made(int n) { return (int*)malloc(n * sizeof(int)); }
"""
USE = "for (int i = 0; i < n; ++i) t[i ^ 0] = a[i]; for (int i = 0; i < n; ++i) out[i] += t[n - 1 - i];"
KINDS = {
    "new": f"int* t = new int[n]; {USE} delete[] t;",
    "malloc": f"int* t = (int*)malloc(n * sizeof(int)); {USE} free(t);",
    "malloc by what is pointed to": f"int* t = (int*)malloc(n * sizeof *t); {USE} free(t);",
    "calloc": f"int* const t = static_cast<int*>(std::calloc(n, sizeof(*t))); {USE} std::free(t);",
    "a check for null": f"int* t = (int*)malloc(n * sizeof(int)); if (!t) return; {USE} free(t);",
    "marks": "bool* t = new bool[n](); for (int i = 0; i < n; ++i) t[i ^ 0] = a[i] > 2; "
    "for (int i = 0; i < n; ++i) out[i] += t[n - 1 - i]; delete[] t;",
    "an owner": f"std::unique_ptr<int[]> t(new int[n]); {USE}",
    "an owner that a function makes": f"auto t = std::make_unique<int[]>(n); {USE}",
    "what an owner gives": f"std::unique_ptr<int[]> u = std::make_unique<int[]>(n); int* t = u.get(); {USE}",
    "a length that a variable says": f"int t[n]; {USE}",
    "one of a turn": "for (int i = 0; i < n; ++i) { int* t = (int*)malloc(sizeof(int) * 5); for (int k = 0; k < 5; ++k) t[k] = a[i] ^ k; "
    "std::sort(t, t + 5); out[i ^ 0] += t[2]; free(t); }",
    "one of a turn by its data": "for (int i = 0; i < n; ++i) { auto* t = new int[a[i] + 1]; "
    "for (int k = 0; k <= a[i]; ++k) t[k] = a[i] ^ k; out[i ^ 0] += t[a[i]]; delete[] t; }",
    "buffers that change places": "int *x = new int[n]; int* y = new int[n]; for (int i = 0; i < n; ++i) x[i ^ 0] = a[i]; "
    "for (int s = 0; s < 3; ++s) { for (int i = 0; i < n; ++i) y[i ^ 0] = x[n - 1 - i] + a[i]; int* z = x; x = y; y = z; } "
    "for (int i = 0; i < n; ++i) out[i] += x[i]; delete[] x; delete[] y;",
    "counters": "int* c = (int*)calloc(m, sizeof(int)); for (int i = 0; i < n; ++i) c[a[i]]++; "
    "for (int i = 0; i < m; ++i) aux[i ^ 0] += c[i]; free(c);",
    "counters behind a pointer": "int* c = (int*)calloc(m, sizeof(int)); if (c == nullptr) return; for (int i = 0; i < n; ++i) c[a[i]]++; "
    "for (int i = 0; i < m; ++i) aux[i ^ 0] += c[i]; free(c);",
    "handed to a function": "int* t = new int[n]; turned(n, a, t); for (int i = 0; i < n; ++i) out[i ^ 0] += t[i]; delete[] t;",
    "a pointer to elements of a vector": "std::vector<int> v(a, a + n); const int* q = &v[1]; const int* p[2] = {v.data(), q}; "
    "for (int i = 0; i + 1 < n; ++i) out[i ^ 0] += p[i % 2][i] + q[i];",
}  # fmt: skip
READ = "for (int i = 0; i < n; ++i) { int x[2] = {a[i], READ}; std::sort(x, x + 2); out[i] = x[1]; }"
REFUSED = {
    "a local array": ("int t[3] = {1, 2, 3}; t[0] = m; int* q; q = t;", "q[i % 3]", "'q', by which it reaches 't'"),
    "a constant local array": ("const int t[3] = {1, 2, 3}; const int* q = t;", "q[i % 3]", "'q', by which it reaches 't'"),
    "a part of one": ("int t[9] = {}; const int* q = t + 3;", "q[i % 3]", "'q', by which it reaches 't'"),
    "a row of one": ("const int t[2][3] = {}; const int* q = t[1];", "q[i % 3]", "'q', by which it reaches 't'"),
    "a pointer that moves": ("const int t[600] = {1, 2, 3}; const int* q = t;", "*q++", "'q', by which it reaches 't'"),
    "an object's address": ("Parts t{}; const Parts* q = &t;", "q->first[i % 3]", "'q', by which it reaches 't'"),
    "an object's part": ("Parts t{}; const int* q = &t.first[1];", "q[i % 3]", "'q', by which it reaches 't'"),
    "a std::array": ("std::array<int, 3> t{1, 2, 3}; const int* q = t.data();", "q[i % 3]", "'q', by which it reaches 't'"),
    "a vector's address": ("std::vector<int> t(a, a + n); const auto* q = &t;", "(*q)[i]", "'q', by which it reaches 't'"),
    "an object that points there": ("int t[600] = {}; Elements q{t};", "q.get(i)", "'q', by which it reaches 't'"),
    "one that is told later": ("int t[600] = {}; Elements q; q.at = t;", "q.get(i)", "'q', by which it reaches 't'"),
    "through another pointer": ("int t[3] = {}; int* p = t; const int* q = p + 1;", "q[i % 2]", "'q', by which it reaches 't'"),
    "a list of pointers": ("int t[3] = {}; int* q[2] = {t, t};", "q[i % 2][i % 3]", "'q', by which it reaches 't'"),
    "a vector of pointers": ("int t[3] = {}; std::vector<int*> q(2); q[0] = q[1] = t;", "q[i % 2][i % 3]", "'q', by which it reaches 't'"),
    "a text": ('const char* q = "a text";', "q[i % 5]", "'q', by which it reaches a text"),
    "a table of the file": ("const int* q = kTable;", "q[i % 3]", "'q', by which it reaches 'kTable', a table of the file"),
    "memory that a function makes": ("int* q = made(n); q[0] = 1;", "q[0]", "'q', by which it reaches what is allocated there"),
    "memory that nobody frees": ("int* q = new int[3](); q[0] = 1;", "q[i % 3]", "'q', by which it reaches what is allocated there"),
}  # fmt: skip
TAKEN = {
    "elements of a local array": ("const int t[3] = {1, 2, 3};", "t[i % 3]"),
    "a number from a local array": ("int t[3] = {1, 2, 3}; auto q = t[1];", "q"),
    "a number from a function of one": ("const int t[3] = {1, 2, 3}; auto q = of_rows(t, 2);", "q"),
    "elements of a table of the file": ("", "kTable[i % 3]"),
    "a copy of an object": ("Parts t{}; t.first[1] = m; Parts q = t;", "q.first[i % 3]"),
}


@pytest.fixture(scope="module")
def every_kind(function_task):
    text = "\n".join(f"{{ // {name}\n{body}\n}}" for name, body in KINDS.items())
    return function_task(f"{HEAD}{SIGNATURE} {{\n{text}\n}}\n")


def test_each_kind_is_launched_and_right(every_kind, observer, bench):
    found = verbatim(every_kind, observer)
    assert not [(one.line, one.reason) for one in found.serial if one.is_long]
    assert bench.differences(every_kind, found.text([found.independence], Launches())) == []


def test_nvcc_takes_each_kind(every_kind, observer):
    require_built_by_nvcc(verbatim(every_kind, observer).text([], Launches()))


@pytest.mark.parametrize("name", REFUSED)
def test_a_kernel_is_handed_no_pointer_to_the_hosts_memory(function_task, name):
    before, read, why = REFUSED[name]
    loop = f"\n#pragma omp parallel for\n{READ.replace('READ', read)}"
    with pytest.raises(CannotTransform, match=why.replace("'", ".")) as refused:
        verbatim(function_task(f"{HEAD}{SIGNATURE} {{\n{before}{loop}\n}}\n"), None)
    assert refused.value.line is not None


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_copied_is_handed_over(function_task, name):
    before, read = TAKEN[name]
    loop = f"\n#pragma omp parallel for\n{READ.replace('READ', read)}"
    assert len(verbatim(function_task(f"{HEAD}{SIGNATURE} {{\n{before}{loop}\n}}\n"), None).launched) == 1


def test_lines_stay():
    text = "void f(int n) {\nint* t = (int*)malloc(\n    n * sizeof(int));\nfree(t);\nint u[n];\n}\n"
    made = with_memory_as_vectors(text)
    assert made.count("\n") == text.count("\n") and "malloc" not in made and "free" not in made


@pytest.mark.parametrize(
    "body",
    [
        "int* t = new int[n]; g(t);",
        "int* t = (int*)malloc(n); t = (int*)realloc(t, 2 * n);",
        "int* t = new int; delete t;",
        "int** t = new int*[n]; delete[] t;",
        "std::unique_ptr<int[]> t(new int[n]); g(std::move(t));",
        "const int k = 3; int t[k];",
        "int t[n]; g(sizeof t);",
        "static int t[3];",
    ],
)
def test_other_memory_is_left_as_it_is(body):
    text = f"void f(int n) {{ {body} }}\n"
    assert with_memory_as_vectors(text) == text
