"""Names to objects: built-in tables of `"name": "module:Object"`, dotted paths, and entry points of other packages."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from regrapht.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Registry:
    """One kind of pluggable thing. `kind` names it in messages; entry points are read from the group `regrapht.<kind>`."""

    kind: str
    builtin: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """Every name known, built in or installed, sorted."""
        return tuple(sorted({*self.builtin, *(point.name for point in self._installed())}))

    def load(self, name: str) -> Any:
        """The object called `name`: a built-in name, an installed entry point, or a dotted `module:Object`.

        Raises:
            UnknownName: There is none; the message lists the names and the nearest one.
        """
        if name in self.builtin:
            return _resolve(self.builtin[name])
        for point in self._installed():
            if point.name == name:
                return point.load()
        if ":" in name:
            try:
                return _resolve(name)
            except (ImportError, AttributeError) as error:
                raise UnknownName(f"{self.kind} {name!r} cannot be imported: {error}") from error
        near = difflib.get_close_matches(name, self.names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self.names())}"
        raise UnknownName(f"there is no {self.kind.removesuffix('s')} {name!r}; {hint}")

    def _installed(self) -> Any:
        return entry_points(group=f"regrapht.{self.kind}")


def _resolve(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
