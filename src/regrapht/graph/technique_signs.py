"""Signs that a technique is the next to apply, read from `technique_signs.toml`: rules of thumb about the program at hand."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from regrapht.errors import SchemaError
from regrapht.graph.access_traits import TRAITS, access_traits
from regrapht.graph.code_features import FEATURES, code_features
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.toml_text import parse_toml

SCHEMA_VERSION = 1
HEAVIEST = 5


def sign_scores(program: str, applied: Collection[str], slugs: Sequence[str]) -> np.ndarray:
    """For each technique of `slugs` the sum of the weights of its signs that are present; 0 for one that has no signs.

    Args:
        program: The present program.
        applied: The techniques applied so far.
    """
    present = {name for name, number in zip(TRAITS, access_traits(program), strict=True) if number > 0}
    present.update(name for name, number in zip(FEATURES, code_features(program), strict=True) if number > 0)
    present.update(applied)
    signs = load_signs()
    return np.array([float(sum(w for name, w in signs.get(slug, {}).items() if name in present)) for slug in slugs])


@cache
def load_signs() -> Mapping[str, Mapping[str, int]]:
    """For each technique with signs, their weights by name.

    Raises:
        SchemaError: The installed file is damaged.
    """
    return parse_signs(files("regrapht.graph").joinpath("technique_signs.toml").read_text(encoding="utf-8"))


def parse_signs(text: str) -> Mapping[str, Mapping[str, int]]:
    """The table in `text`.

    Raises:
        SchemaError: Not TOML of this version, an unknown technique or sign, or a weight that is no whole number from -5 to 5 but 0.
    """
    try:
        plain = parse_toml(text)
    except ValueError as error:
        raise SchemaError(f"the signs are not TOML: {error}") from error
    if set(plain) != {"schema", "signs"} or plain["schema"] != SCHEMA_VERSION:
        raise SchemaError(f"the signs need the keys schema = {SCHEMA_VERSION} and signs, and no others")
    techniques = load_vocabulary().techniques
    names = {*TRAITS, *FEATURES, *techniques}
    for slug, weights in plain["signs"].items():
        if slug not in techniques:
            raise SchemaError(f"signs of {slug!r}: there is no such technique")
        if not isinstance(weights, dict):
            raise SchemaError(f"signs of {slug!r} are no table of names and weights")
        if unknown := sorted(set(weights) - names):
            raise SchemaError(f"signs of {slug!r}: {unknown[0]!r} is no trait, feature or technique")
        for name, weight in weights.items():
            if type(weight) is not int or not 0 < abs(weight) <= HEAVIEST:
                raise SchemaError(
                    f"signs of {slug!r}: {name} weighs {weight!r}, not 1 to {HEAVIEST} or below 0 likewise"
                )
    found: Mapping[str, Mapping[str, int]] = plain["signs"]
    return found
