"""Assembler that does nothing does not keep a program from the emulator; what might do something stays."""

import pytest

from regrapht.emulate.idle_assembly import without_idle_assembly
from regrapht.emulate.unsupported import unsupported_features

KERNEL = "__global__ void k(float* y) {{\n    float x = y[0];\n    {}\n    y[1] = x;\n}}\n"


@pytest.mark.parametrize(
    "statement",
    [
        'asm("");',
        'asm volatile("" ::: "memory");',
        'asm volatile("" : "+f"(x));',
        '__asm__ __volatile__("  // nothing\\n" "\\t" :: "f"(x));',
        'asm volatile("/* nothing */;");',
        'asm volatile("prefetch.global.L2 [%0];" :: "l"(y));',
        'asm volatile("nanosleep.u32 20;");',
    ],
)
def test_what_does_nothing_is_taken_out(statement):
    source = KERNEL.format(statement)
    told = without_idle_assembly(source)
    assert unsupported_features(source) and not unsupported_features(told)
    assert told.count("\n") == source.count("\n") and "y[1] = x;" in told.splitlines()[3]


@pytest.mark.parametrize(
    "statement",
    [
        'asm("mov.b32 %0, 1;" : "=f"(x));',
        'asm("" : "=f"(x));',
        'asm volatile("st.global.f32 [%0], 0f00000000;" :: "l"(y));',
        'asm volatile("bar.sync 0;");',
        'asm volatile("// no\\nmembar.gl;");',
        'asm volatile("prefetch.global.L2 [%0]; red.global.add.f32 [%0], 0f3f800000;" :: "l"(y));',
        "",
    ],
)
def test_what_may_do_something_stays(statement):
    source = KERNEL.format(statement)
    assert without_idle_assembly(source) == source
