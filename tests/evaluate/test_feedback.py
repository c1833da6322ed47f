"""Text of others, made fit to be shown."""

import pytest

from regrapht.evaluate.feedback import scrub


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("error: \x1b[31mred\x07", r"error: \x1b[31mred\x07"),
        ("right \u202e to left \u2066 and \x9b", r"right \x202e to left \x2066 and \x9b"),
        ("half \ud800 a character", r"half \ud800 a character"),
        ("/home/someone/secret/kernel.cu:3", "kernel.cu:3"),
        ("at 0x7fff12345678", "at 0x..."),
        ("lines\n\tstay", "lines\n\tstay"),
    ],
)
def test_scrub(raw, shown):
    assert scrub(raw) == shown


def test_it_is_capped():
    assert len(scrub("x" * 10**6, limit=500)) <= 500
