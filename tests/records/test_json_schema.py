"""Schemas say what the encoder writes: records of every kind fit theirs, and what does not fit a record does not fit its schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pytest

from regrapht.records.encoding import to_plain
from regrapht.records.expression import Expression
from regrapht.records.json_schema import json_schema

jsonschema = pytest.importorskip("jsonschema")


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """A leaf."""

    name: str
    """What it is called."""
    size: float | None = None


@dataclass(frozen=True, kw_only=True)
class Tree:
    """Everything that a record may hold."""

    leaves: tuple[Leaf, ...]
    pair: tuple[int, str]
    colour: Colour
    counts: Mapping[str, int] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    place: Path | None = None
    length: int | Expression = 3
    inner: "Tree | None" = None
    anything: object = None


SMALL = Tree(leaves=(), pair=(1, "a"), colour=Colour.RED)
LARGE = Tree(
    leaves=(Leaf(name="x", size=1.5), Leaf(name="y")),
    pair=(2, "b"),
    colour=Colour.BLUE,
    counts={"a": 1},
    names=frozenset({"p", "q"}),
    place=Path("f"),
    length=Expression("n + 1"),
    inner=SMALL,
    anything=[1, {"x": None}],
)


@pytest.mark.parametrize("tree", [SMALL, LARGE])
def test_a_record_fits_its_schema(tree):
    jsonschema.Draft202012Validator(json_schema(Tree)).validate(to_plain(tree))


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "green"},
        {"pair": [1]},
        {"pair": [1, "a", 2]},
        {"leaves": [{"size": 1}]},
        {"leaves": [{"name": "x", "more": 1}]},
        {"counts": {"a": "b"}},
        {"inner": {"pair": [1, "a"]}},
        {"unknown": 1},
        {"length": "n"},
    ],
)
def test_what_is_no_record_does_not(change):
    plain = {**to_plain(LARGE), **change}
    assert not jsonschema.Draft202012Validator(json_schema(Tree)).is_valid(plain)


def test_docstrings_are_descriptions():
    leaf = json_schema(Tree)["$defs"]["Leaf"]
    assert leaf["description"] == "A leaf." and leaf["properties"]["name"]["description"] == "What it is called."
    assert leaf["required"] == ["name"] and json.dumps(json_schema(Tree))
