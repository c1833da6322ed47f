"""Texts whose answers may hang on a clock, on chance or on addresses, and those that only look so."""

import pytest

from regrapht.evaluate.build.unrepeatable import chance_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__global__ void k(int* y) { *y = clock64(); }", ("clock64",)),
        ("int f() { return rand() + time(0); }", ("rand", "time")),
        ("#include <random>\nint f() { std::random_device r; return r(); }", ("random_device",)),
        ('__device__ int f() { int t; asm("mov.u32 %0, %globaltimer_lo;" : "=r"(t)); return t; }', ("%globaltimer",)),
        ("__global__ void k(float* z) { z[0] = (size_t)z & 64; }", ("addresses",)),
        ("__global__ void k(const float* __restrict__ x, int* y) { *y = reinterpret_cast<uintptr_t>(x); }", ("addresses",)),
        ("__global__ void k(int*); size_t f() { int here; return (size_t)&here ^ (uintptr_t) &k; }", ("addresses",)),
        ("long f() { return (long)__builtin_return_address(0); }", ("addresses",)),
        ("int f() { int v; return cudaDriverGetVersion(&v); }", ("cudaDriverGetVersion",)),
        ("void f() { size_t a, b; cudaMemGetInfo(&a, &b); }", ("cudaMemGetInfo",)),
        ("int f(int a, int b) { return (long)a & b; }", ()),
        ("// rand() and clock64()\nconst char* s = \"time(0)\";\nstruct A { int time; int clock; };", ()),
        ("__global__ void k(int n, float* z) { z[0] = (size_t)n; }", ()),
        ("__global__ void k(const int* x, long long* z) { z[0] = (unsigned long long)x[3] << 32 | (long long)x [4]; }", ()),
        ("", ()),
        (" \n\t", ()),
        ("rand", ()),
        ("int random; int time = 3; int f() { return time * (random); }", ()),
    ],
)  # fmt: skip
def test_what_a_text_asks_for(text, names):
    assert chance_in(text) == names
