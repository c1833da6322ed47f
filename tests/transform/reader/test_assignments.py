"""What is added to and taken from a wider target: terms are negated and combined in the target's type, as the source has it."""

from ..differential import assert_same

HEAD = (
    "// shape: u = n\n// shape: h = n\n// shape: b = n\n// shape: g = n\n// shape: wide = n\n// shape: real = n\n"
    "// init: u = ints(0, 4000000000)\n// init: h = ints(-9, 9)\n// check: n=1; n=4; n=41\n"
)
PARAMETERS = (
    "int n, const unsigned* u, const int* h, const unsigned char* b, const float* g, long long* wide, double* real"
)
EACH = "for (int i = 0; i < n; ++i)"
MIXED = {
    "less unsigned": "wide[i] -= u[i];",
    "less unsigned, of floats": "real[i] -= u[i];",
    "less unsigned, written out": "wide[i] = wide[i] - u[i];",
    "more of what is negated": "wide[i] += -u[i];",
    "floats more of what is negated": "real[i] += -u[i];",
    "more of a difference": "wide[i] += u[i] - 5u;",
    "less a difference": "wide[i] = wide[i] - (u[i] - 7u);",
    "two terms": "wide[i] = wide[i] + u[i] + u[n - 1 - i];",
    "three terms": "wide[i] = wide[i] - u[i] + h[i] - u[n - 1 - i];",
    "a sum of two": "wide[i] = wide[i] + (u[i] + u[n - 1 - i]);",
    "a constant": "wide[i] -= 1u;",
    "a byte": "wide[i] -= b[i]; wide[i] += -b[i]; wide[i] += ~b[i];",
    "floats in doubles": "real[i] = real[i] + g[i] * 3.0f + g[n - 1 - i];",
    "whole numbers in doubles": "real[i] = real[i] + u[i] + u[n - 1 - i] - h[i];",
    "the smallest": "wide[i] -= (int)(0x80000000u | (h[i] > 99));",
}
SUMS = {
    "a sum less unsigned": f"long long s = 0; {EACH} s -= u[i]; wide[0] = s;",
    "a float sum less unsigned": f"double s = 0; {EACH} s -= u[i]; real[0] = s;",
    "a sum of two terms": f"long long s = 0; {EACH} s = s + u[i] - u[n - 1 - i] - 3u; wide[0] = s;",
    "an element": f"{EACH} wide[0] -= u[i];",
    "a running value": "for (int i = 1; i < n; ++i) wide[i] = wide[i - 1] - u[i];",
    "a running value of two": "for (int i = 1; i < n; ++i) wide[i] = wide[i - 1] - u[i] - h[i];",
}


def test_they_are_right(make_task):
    bodies = {name: f"{EACH} {{ {body} }}" for name, body in MIXED.items()} | SUMS
    assert_same(make_task, {name: f"{HEAD}void f({PARAMETERS}) {{ {body} }}" for name, body in bodies.items()})
