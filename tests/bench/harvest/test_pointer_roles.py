"""Which arrays are read and written, through aliases and helpers."""

import pytest

from regrapht.bench.harvest.pointer_roles import Use, array_uses
from regrapht.source.functions import read_unit

READ, WRITTEN, BOTH, NEITHER = Use(True, False), Use(False, True), Use(True, True), Use(False, False)
HELPERS = """
float get(const float* p, int i) { return p[i]; }
void put(float* p, float v) { *p = v; }
void again(float* p, float v) { put(p + 1, v); }
void forever(float* p) { forever(p); }
"""


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ("float v = x[0];", READ),
        ("x[0] = 1;", WRITTEN),
        ("x[0] += 1;", BOTH),
        ("x[0]++;", BOTH),
        ("*x = 1;", WRITTEN),
        ("*(x + n) = 1;", WRITTEN),
        ("float v = *(x + n);", READ),
        ("float* p = x + n; p[0] = 1;", WRITTEN),
        ("float* p; p = &x[n]; float v = p[0];", READ),
        ("float* p = n ? x : 0; p[0] = 1;", WRITTEN),
        ("float v = get(x, 1);", READ),
        ("put(x, 1);", WRITTEN),
        ("put(&x[3], 1);", WRITTEN),
        ("again(x, 1);", WRITTEN),
        ("unknown(x);", BOTH),
        ("unknown(x[0]);", READ),
        ("forever(x);", BOTH),
        ("if (x == 0) return;", NEITHER),
    ],
)
def test_uses(body, use):
    unit = read_unit(f"{HELPERS} void f(float* x, int n) {{ {body} }}")
    assert array_uses(unit.named("f")[0], unit)["x"] == use
