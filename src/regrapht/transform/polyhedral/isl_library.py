"""islpy, imported on first use: it takes a tenth of a second and nothing but the engine needs it."""

from functools import cache
from typing import Any


@cache
def isl() -> Any:
    """The module `islpy`.

    Its objects belong to one context and are not to be used from two threads at once; `engine.LOCK` sees to that.
    """
    import islpy

    return islpy
