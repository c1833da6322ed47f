"""What a sandbox has to show of a C++ compiler outside the system's folders, and what of the user's it would show with a folder."""

import functools
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from regrapht import settings
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.sandbox.privileges import require_readable

_SYSTEM = (Path("/"), Path("/usr"), Path("/usr/local"))
_LOADED_FROM = tuple(map(Path, ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64")))
"""Where the loader looks by itself."""


def compiler_folders(compiler: str) -> tuple[Path, ...]:
    """The folder over the `bin` of `compiler`, with its headers and libraries; the program alone where it lies in no `bin`.

    Nothing for what the system's folders hold, and for a compiler that is not there. All that is below such a folder can be read by
    generated code.

    Raises:
        ConfigError: The folder holds what generated code may not see, or the user of sandboxed programs cannot read it.
    """
    path = Path(compiler)
    folder = path.parent.parent if path.parent.name == "bin" else path
    if not path.is_absolute() or folder in _SYSTEM or Path("/usr") in folder.parents:
        return ()
    advice = "Set CXX to a compiler in a folder of its own, such as /usr/bin/g++"
    if exposed := exposed_by(folder):
        raise ConfigError(
            f"the C++ compiler is {path}, and builds would need all of {folder}, which holds {exposed}: "
            f"generated code may not see that. {advice}"
        )
    try:
        require_readable(folder)
    except EvaluatorUnavailable as error:
        raise ConfigError(f"the C++ compiler is {path}: {error}. {advice}") from error
    return (folder,)


@functools.cache
def library_path(compiler: str) -> tuple[str, ...]:
    """Flags with which a program that `compiler` links finds the C++ library of that compiler, and so do libraries that it loads.

    Nothing where that is the system's own. A compiler of a module or an environment has a newer one beside it, which programs find by
    `LD_LIBRARY_PATH`; a sandbox has none.
    """
    if not Path(compiler).is_file():
        return ()  # the build will say so
    asked = subprocess.run([compiler, "-print-file-name=libstdc++.so.6"], capture_output=True, text=True, check=False)
    found = Path(asked.stdout.strip())
    if not found.is_absolute():
        return ()  # it has an archive alone, which programs hold, or no such library at all
    folder = found.resolve().parent
    if any(folder.is_relative_to(system) for system in _LOADED_FROM):
        return ()
    return (f"-Wl,--disable-new-dtags,-rpath,{folder}",)


def exposed_by(path: Path) -> str | None:
    """What of the user's a sandbox would show with `path`, in words, or None."""
    shown = path.resolve()
    return next((what for what, folder in _private() if folder.resolve().is_relative_to(shown)), None)


def _private() -> Iterator[tuple[str, Path]]:
    try:
        home = Path.home()
    except RuntimeError:  # a user without a name, as containers have them, has no home
        pass
    else:
        yield "the home folder", home
        yield "your programs' data", settings.data_folder()
    yield "regrapht's store", settings.home()
    yield "other programs' temporary files", Path(tempfile.gettempdir())
