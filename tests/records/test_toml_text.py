"""TOML of a user's: one kind of error for whatever is none."""

import pytest

from regrapht.records.toml_text import MOST_DOTS, parse_toml


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = = 1", "line 1"),
        ("a = " + "[" * 100_000, "nested"),
        ("a = " + "{b=" * 3000, "nested"),
        ("a = " + "9" * 10_000, "digits"),
        ("\na" + ".a" * 20_000 + " = 1", "at line 2"),
        ("[a" + ".a" * 20_000 + "]", "parts"),
        ("x = {a" + ".a" * 200 + " = 1}", "parts"),
        ("a = 1\0", "line 1"),
    ],
    ids=["equals", "brackets", "braces", "digits", "dots", "table", "inline", "nul"],
)
def test_what_is_none(text, words):
    with pytest.raises(ValueError, match=words):
        parse_toml(text)


def test_what_is_some():
    assert parse_toml("a.b.c = 1.5\n[d]\ne = '" + "no key. " * 200 + "...'") == {
        "a": {"b": {"c": 1.5}},
        "d": {"e": "no key. " * 200 + "..."},
    }
    assert parse_toml("a" + ".a" * (MOST_DOTS - 1) + " = 1")
