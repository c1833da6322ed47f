"""Completion: what a kernel needs of its file, in an order that compiles, and what cannot be had."""

import pytest

from regrapht.bench.harvest.dependencies import complete
from regrapht.bench.harvest.outcomes import Dropped

FILE = """
typedef float real;
#define TWICE(x) ((x) * TWO)
#define TWO 2
#define UNUSED 7
enum Mode { PLAIN, FANCY = 4 };
struct Pair { real a; int b; };
static const int WIDTH = 3;
__constant__ float weights[2] = {1.0f, 2.0f};
__constant__ float from_host[2];
__device__ int counter;
int host_count = 0;
#ifdef NEVER
#define SIDE 1
#else
#define SIDE 2
#endif
__device__ int later(int x);
__device__ int helper(int x) { return later(x) + WIDTH; }
__device__ int later(int x) { return TWICE(x); }
__device__ float other(float x) { return x; }
"""


def kernel(body):
    return f"__global__ void k(float* x, int n) {{ {body} }}"


def test_only_what_is_needed_in_an_order_that_compiles():
    found = complete(kernel("Pair p; p.b = helper(n); x[0] = p.b + SIDE + FANCY + weights[1];"), [FILE])
    names = [definition.names[0] for definition in found.needed]
    assert found.missing == () and "UNUSED" not in names and "other" not in names
    assert names.index("TWO") < names.index("TWICE") < names.index("later") < names.index("helper")
    assert names.index("real") < names.index("Pair")
    assert "#define SIDE 2" in found.text and "#define SIDE 1" not in found.text
    assert found.text.count("later(int x) {") == 1


def test_what_nobody_defines_is_named():
    found = complete(kernel("Unknown u; x[0] = missing(u.field) * SCALE + sqrtf(x[1]) + std::min(1, 2);"), [FILE])
    assert found.missing == ("SCALE", "Unknown", "missing")


def test_locals_members_and_lambdas_are_no_dependencies():
    body = "int counter = 1; auto f = [&](int q) { return q + counter; }; struct S { int a; } s; s.a = 1;"
    body += " for (int j = 0; j < n; ++j) x[j] = f(j);"
    assert complete(kernel(body), [FILE]).needed == ()


def test_supplied_definitions_fill_the_gap():
    found = complete(kernel("x[0] = SCALE;"), [FILE], supplied="#define SCALE TWO\n")
    assert found.missing == () and [one.names[0] for one in found.needed] == ["TWO", "SCALE"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("x[0] = from_host[n];", "constant_memory"),
        ("counter = n;", "device_variable"),
        ("x[0] = host_count;", "host_variable"),
    ],
)
def test_contents_that_only_the_host_knows(body, reason):
    with pytest.raises(Dropped) as dropped:
        complete(kernel(body), [FILE])
    assert dropped.value.reason == reason


def test_too_much():
    chain = "\n".join(f"#define D{i} (D{i + 1} + 1)" for i in range(80)) + "\n#define D80 1\n"
    with pytest.raises(Dropped) as dropped:
        complete(kernel("x[0] = D0;"), [chain])
    assert dropped.value.reason == "too_many_definitions"


def test_definitions_that_need_each_other_end():
    circle = "struct B; struct A { B* b; }; struct B { A* a; };"
    assert {one.names[0] for one in complete(kernel("A a; x[0] = 1;"), [circle]).needed} == {"A", "B"}
