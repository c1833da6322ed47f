"""What a compiler says of a candidate's directives."""

import pytest

from regrapht.emulate.emulator import Emulator
from regrapht.sandbox.choose import choose_sandbox


@pytest.fixture(scope="module")
def emulator():
    return Emulator(choose_sandbox())


def test_includes_stay_beside_what_they_brought_and_macros_are_written_out(emulator):
    read = emulator.preprocess("#define H <cfloat>\n#include H\n#define P(a, b) a##b\nint P(on, ce) = 1;\n")
    assert read.complete
    assert "#include <cfloat>" in read.text and "int once = 1;" in read.text


def test_what_cannot_be_read_is_told_with_its_line(emulator):
    read = emulator.preprocess("\n#include <nowhere.h>\n")
    assert not read.complete and "candidate.cu:2" in read.errors


def chain(first, step, count):
    """Macros M0 to M<count>, each made of the one before."""
    return f"#define M0 {first}\n" + "".join(
        f"#define M{i} {step.replace('X', f'M{i - 1}')}\n" for i in range(1, count + 1)
    )


TWICE = "#define F(x) x x\n#define F4(x) F(F(F(F(x))))\n#define F16(x) F4(F4(F4(F4(x))))\n"
BOMBS = {
    "words": chain("+ 1", "X X X X X X X X", 9) + "int i = 1 M9;\n",
    "nothing": chain("", "X X X X", 18) + "M18\n",
    "a condition": chain("1", "(X + X)", 30) + "#if M30 > 3\n#endif\n",
    "arguments": TWICE + "int i = 1 F16(F16(+ 1));\n",
    "text": "#define S(x) #x\n#define G(x) S(x x x x x x x x)\n"
    + "const char* s = "
    + "G(" * 12
    + "a"
    + ")" * 12
    + ";\n",
    "macros that wait": "#define NONE\n#define D(x) x NONE\n#define E(x) E1(E1(E1(E1(x))))\n#define E1(x) E2(E2(E2(E2(x))))\n"
    "#define E2(x) E3(E3(E3(E3(x))))\n#define E3(x) x\n#define R(x) x x D(Q)()(x x)\n#define Q() R\nint i = 0; E(R(;))\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOMBS)
def test_macros_that_grow_without_end_are_ended_and_the_limit_is_told(emulator, kind):
    read = emulator.preprocess(BOMBS[kind])
    assert not read.complete and read.too_much is not None, read.errors
    assert any(limit in read.too_much for limit in ("2 s", "536870912 bytes", "33554432 bytes"))


def test_macros_of_every_day_are_written_out(emulator):
    unrolled = "#define T(x) x x x x x x x x x x\nfloat f(float v) { T(T(T(v = v * v + 1;))) return v; }\n"
    read = emulator.preprocess(unrolled)
    assert read.complete and read.too_much is None and read.text.count("v = v * v + 1;") == 1000
