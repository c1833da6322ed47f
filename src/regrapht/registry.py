"""Names to objects: built-in tables of `"name": "module:Object"`, dotted paths, and entry points of other packages.

What is not built in is somebody else's code. A fault in it is told as a plug-in's, with its file and line: `plugin_fault` finds out whose
a failure is from the frames that it came through.
"""

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from regrapht.errors import PluginError, RegraphtError, UnknownName
from regrapht.wording import did_you_mean

_loaded: dict[str, str] = {}
"""The file of each plug-in that was loaded, and what the plug-in is called."""


@dataclass(frozen=True, slots=True)
class Registry:
    """One kind of pluggable thing. `kind` names it in messages; entry points are read from the group `regrapht.<kind>`.

    Attributes:
        methods: What an object of this kind must have to be of any use.
    """

    kind: str
    builtin: Mapping[str, str]
    methods: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Every name known, built in or installed, sorted."""
        return tuple(sorted({*self.builtin, *(point.name for point in self._installed())}))

    def load(self, name: str) -> Any:
        """The object called `name`: a built-in name, an installed entry point, or a dotted `module:Object`.

        Raises:
            UnknownName: There is none; the message lists the names and the nearest one.
            PluginError: It is somebody else's, and cannot be imported or lacks a method.
        """
        if name in self.builtin:
            return _resolve(self.builtin[name])
        for point in self._installed():
            if point.name == name:
                return self._plugin(f"{name} ({point.value})", point.value, point.load)
        if ":" in name:
            return self._plugin(name, name, lambda: _resolve(name))
        raise UnknownName(f"there is no {self.singular} {name!r}; {did_you_mean(name, self.names())}")

    def make(self, name: str, *arguments: Any, **named: Any) -> Any:
        """An object of the class called `name`.

        Raises:
            UnknownName, PluginError: As `load`; or somebody else's class does not take these arguments, or fails in taking them.
        """
        made = self.load(name)
        if name in self.builtin:
            return made(*arguments, **named)
        try:
            return made(*arguments, **named)
        except RegraphtError:
            raise
        except Exception as error:
            taken = ", ".join([*(type(one).__name__ for one in arguments), *(f"{key}=..." for key in named)])
            at = _place(error, lambda file: file in _loaded)
            raise PluginError(
                f"the {self.singular} {name} cannot be made from ({taken}): {type(error).__name__}: {error}{at}"
            ) from error

    @property
    def singular(self) -> str:
        """One of this kind, in a message."""
        return self.kind.removesuffix("s")

    def _plugin(self, called: str, value: str, load: Callable[[], Any]) -> Any:
        module = value.partition(":")[0]
        try:
            found = load()
        except Exception as error:
            at = _place(error, lambda file: not file.startswith(str(Path(__file__).parent)) and "importlib" not in file)
            raise PluginError(
                f"the {self.singular} {called} cannot be imported: {type(error).__name__}: {error}{at}"
            ) from error
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is not None:
            _loaded[file] = f"{self.singular} {called}"
        if lacking := [method for method in self.methods if not callable(getattr(found, method, None))]:
            raise PluginError(
                f"the {self.singular} {called} lacks {', '.join(lacking)}: one has {', '.join(self.methods)}"
            )
        return found

    def _installed(self) -> Any:
        return entry_points(group=f"regrapht.{self.kind}")


def plugin_fault(error: BaseException) -> PluginError | None:
    """The failure as a plug-in's; None where it is one of ours, or did not come through a plug-in that was loaded by its name.

    A plug-in's file may lie in a package: all files beside it, and below, count as the plug-in's.
    """
    if isinstance(error, RegraphtError) or not isinstance(error, Exception):
        return None
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    for place, called in _loaded.items():
        folder = f"{Path(place).parent}/" if Path(place).name == "__init__.py" else place
        if any(file.startswith(folder) for file in files):
            at = _place(error, lambda file: file.startswith(folder))  # noqa: B023, read at once
            return PluginError(f"the {called} failed: {type(error).__name__}: {error}{at}")
    return None


def _place(error: BaseException, is_theirs: Callable[[str], bool]) -> str:
    """The last line that is the plug-in's own, in brackets."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f" ({Path(error.filename).name}, line {error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_theirs(frame.filename)]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


def _resolve(path: str) -> Any:
    """The object. A module in the working folder is found too, wherever the program is installed: the user names it."""
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        here = os.getcwd()
        is_here = os.path.isfile(f"{top}.py") or os.path.isdir(top)
        if error.name != top or here in sys.path or not is_here:
            raise
        sys.path.append(here)
        return getattr(import_module(module), name)
