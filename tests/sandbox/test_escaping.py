"""Text of a hostile program, made safe."""

from hypothesis import given
from hypothesis import strategies as st

from regrapht.sandbox.escaping import escape


def test_what_is_kept_and_what_is_not() -> None:
    assert escape(b"a\tb\r\nc") == "a\tb\nc"
    assert escape("\u202eevil".encode()) == "\\x202eevil"
    assert escape(b"abcdef", limit_bytes=4) == "abcd\n[2 more bytes]"


@given(st.binary(max_size=300))
def test_never_a_control_character(raw: bytes) -> None:
    assert all(character in "\n\t" or character.isprintable() or not character.isascii() for character in escape(raw))
