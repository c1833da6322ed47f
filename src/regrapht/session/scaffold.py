"""First files for a part of one's own: they work as they are, and say what to replace."""

import keyword
import re
from importlib import resources
from pathlib import Path

from regrapht.errors import ConfigError, UnknownName

KINDS = {
    "search": ("search.py.txt", "test_search.py.txt"),
    "proposer": ("proposer.py.txt", "test_proposer.py.txt"),
    "evaluator": ("evaluator.py.txt", "test_evaluator.py.txt"),
    "task": ("task.toml.txt", "task.cpp.txt"),
}


def scaffold(kind: str, name: str, folder: Path) -> dict[Path, str]:
    """The files of a new part, by path, not written yet; a task's lie in a folder of its name.

    Raises:
        UnknownName: There is no such kind.
        ConfigError: The name cannot be a module's.
    """
    if kind not in KINDS:
        raise UnknownName(f"there is no template {kind!r}; known: {', '.join(KINDS)}")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ConfigError(f"{name!r} cannot be a module: take lower-case letters, digits and _, such as my_{kind}")
    place = folder / name if kind == "task" else folder
    found = {}
    for template in KINDS[kind]:
        text = (resources.files("regrapht.session") / "scaffolds" / template).read_text(encoding="utf-8")
        file = template.removesuffix(".txt")
        if file != "task.toml":
            file = file.replace(kind, name)
        found[place / file] = text.replace("MyPart", class_of(name)).replace("my_part", name)
    return found


def class_of(name: str) -> str:
    """What a module of this name calls its class: `my_search` has `MySearch`."""
    return "".join(part.capitalize() for part in name.split("_"))


def write_scaffold(files: dict[Path, str]) -> None:
    """Write the files; none is replaced.

    Raises:
        ConfigError: One is there already, or cannot be written.
    """
    for path in files:
        if path.exists():
            raise ConfigError(f"{path} exists: choose another name, or --out another folder")
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}; --out writes elsewhere") from error
