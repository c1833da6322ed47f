"""What the user has said of a loop: pragmas before it that a compiler with threads would take."""

import re
from dataclasses import dataclass

from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.scopes import Scopes

_PARALLEL = re.compile(
    r"#\s*pragma\s+(omp\b(?=.*\bparallel\b)(?=.*\b(for|loop)\b)|acc\b(?=.*\bparallel\b|.*\bkernels\b)(?=.*\bloop\b))(.*)"
)
_CLAUSE = re.compile(r"\b(private|reduction)\s*\(([^)]*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One pragma."""

    private: tuple[str, ...]
    sums: tuple[str, ...]
    """The variables of its sums."""
    extremes: tuple[str, ...] = ()
    """Those of its minima and maxima; other reductions are not taken."""


def promise(scopes: Scopes, loop: SyntaxNode) -> Promise | None:
    """The promise that stands directly before a loop; None where there is none, or one with a reduction that is no sum or extreme."""
    before = loop.prev_sibling
    while before is not None and before.type == "comment":
        before = before.prev_sibling
    if before is None or not before.type.startswith("preproc"):
        return None
    text = scopes.text(before).replace("\\\n", " ")
    if _PARALLEL.search(text) is None:
        return None
    private: list[str] = []
    sums: list[str] = []
    extremes: list[str] = []
    for kind, inside in _CLAUSE.findall(text):
        operator, _, names = inside.rpartition(":")
        if kind == "reduction" and operator.strip() not in ("+", "-", "min", "max"):
            return None
        wanted = private if kind == "private" else extremes if operator.strip() in ("min", "max") else sums
        wanted.extend(name.strip() for name in names.split(","))
    return Promise(private=tuple(private), sums=tuple(sums), extremes=tuple(extremes))
