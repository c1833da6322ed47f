"""Names that generated code and isl keep for themselves, and how the engine refuses what it does not take."""

import re
from collections.abc import Collection

from regrapht.errors import CannotTransform

RESERVED = frozenset(
    {"min", "max", "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "floor_divide", "std_max", "std_min"}
    | {f"keep_{name}_{kind}" for name in ("max", "min") for kind in ("float", "double")}
)
"""Names that generated code needs for itself."""
_ISL_WORDS = frozenset(
    {
        "and",
        "ceil",
        "ceild",
        "exists",
        "false",
        "floor",
        "floord",
        "implies",
        "infinity",
        "infty",
        "max",
        "min",
        "mod",
        "nan",
        "not",
        "or",
    }
    | {"rat", "true"}
)
"""Words that isl reads as its own, in capitals too."""


def internal_name(name: str) -> str:
    """The name that generated code gives to a parameter: its own, unless that is reserved.

    Names with two underscores in a row, which C++ keeps for itself, are those that the engine makes for isl.
    """
    if name in RESERVED or name.lower() in _ISL_WORDS or "__" in name:
        return re.sub("_+", "_", name) + "_value"
    return name


def fresh_name(name: str, taken: Collection[str]) -> str:
    """The name, with as many underscores behind it as it takes to be none of `taken`."""
    while name in taken:
        name += "_"
    return name


def place_names(rank: int) -> list[str]:
    """What the dimensions of an array with so many subscripts are called in isl's texts: as no variable is."""
    return [f"place__{dimension}" for dimension in range(rank)]


def refuse(what: str, line: int, remedy: str | None = None) -> CannotTransform:
    return CannotTransform(what, line=line, remedy=remedy)
