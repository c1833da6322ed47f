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
