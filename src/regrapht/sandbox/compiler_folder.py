"""What a sandbox has to show of a C++ compiler outside the system's folders, and what of the user's it would show with a folder."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from regrapht import settings
from regrapht.errors import ConfigError, EvaluatorUnavailable
from regrapht.sandbox.privileges import require_readable

_SYSTEM = (Path("/"), Path("/usr"), Path("/usr/local"))


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
