"""How a file of a project is compiled: from `compile_commands.json`, from the command line, and the compiler's own folders."""

import json
import re
import shlex
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from regrapht import settings
from regrapht.errors import PrerequisiteMissing, TaskError
from regrapht.records.user_code import BuildFlags

DATABASE = "compile_commands.json"
_FOLDERS = ("-isystem-after", "-isystem", "-cxx-isystem", "-iquote", "-idirafter", "-I")
_FORCED = ("-include", "-imacros")

_MICROSOFT = {
    "I": "-I",
    "D": "-D",
    "U": "-U",
    "FI": "-include",
    "std:": "-std=",
    "Qstd:": "-std=",
    "Qstd=": "-std=",
    "external:I": "-isystem",
}
_AS_MICROSOFT = re.compile(r"^[/-](external:I|Qstd[:=]|std:|I|FI|D|U)")
"""How Microsoft's compiler and those that follow it spell the options that count here."""
_MICROSOFT_NAME = re.compile(r"(?:^|[/\\])(?:cl|icl|clang-cl|icx-cl)(?:\.exe)?$", re.IGNORECASE)
_SHELL_NAME = re.compile(r"(?:^|[/\\])(?:sh|bash|dash|zsh|cmd)(?:\.exe)?$", re.IGNORECASE)
_LEADING = 6
"""So many words may stand before a compiler's name: launchers, and what they are told."""
_LONG = {
    "--include-path": "-I", "--system-include": "-isystem", "--define-macro": "-D", "--undefine-macro": "-U",
    "--pre-include": "-include", "--include-directory": "-I", "--include": "-include", "--imacros": "-imacros",
    "--std": "-std", "--options-file": "@", "-optf": "@",
}  # fmt: skip
"""Long names of the same, as nvcc and Clang know them; their value comes after `=`, or as the next word."""
_FOR_OTHERS = ("-Xclang", "-Xpreprocessor", "-Xcompiler", "--compiler-options")
"""What hands its value on to another compiler: the value is one of its words, or several with commas or blanks between, which a shell
reads once more."""
_AS_EDG = re.compile(r"^--((?:c|gnu)\+\+\d\w)$")
"""A standard as NVIDIA's and other compilers name it too."""


def flags_of(file: Path, asked: BuildFlags) -> BuildFlags:
    """The flags that `file` is compiled with: the project's for it, then those that were asked for.

    Raises:
        TaskError: The project's compile database is missing, broken, or does not know the file.
    """
    if asked.project is None:
        return asked
    found = _from_database(file, asked.project)
    return BuildFlags(
        include=(*asked.include, *found.include),
        defines=(*found.defines, *asked.defines),
        standard=asked.standard or found.standard,
        forced=(*found.forced, *asked.forced),
        project=asked.project,
    )


def _from_database(file: Path, project: Path) -> BuildFlags:
    database = project / DATABASE if project.is_dir() else project
    if not database.is_file():
        remedy = "make it: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make"
        raise TaskError("there is no such file", file=str(database), remedy=remedy)
    entries = _entries(database)
    here = file.resolve()
    known = {_path_of(entry): entry for entry in entries}
    entry = known.get(here)
    if entry is None and here.suffix in (".h", ".hpp", ".hh", ".hxx"):
        near = [path for path in known if path.parent == here.parent] or list(known)
        entry = known[near[0]] if near else None
    if entry is None:
        listed = ", ".join(sorted(path.name for path in known)[:8]) or "nothing"
        raise TaskError(
            f"does not say how {file.name} is compiled; it knows {listed}",
            file=str(database),
            remedy="build the project again so that it lists the file, or give -I, -D and -std",
        )
    return _read(entry, here, database)


def sources_of(project: Path) -> list[Path]:
    """The files that a project's compile database lists."""
    database = project / DATABASE if project.is_dir() else project
    return list(dict.fromkeys(_path_of(entry) for entry in _entries(database)))


def _entries(database: Path) -> list[dict[str, Any]]:
    try:
        entries = json.loads(database.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TaskError(f"is broken: {error}", file=str(database), remedy="let the build write it again") from error
    good = isinstance(entries, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("file"), str)
        and isinstance(one.get("directory"), str)
        and (isinstance(one.get("command"), str) or _are_words(one.get("arguments")))
        for one in entries
    )
    if not good:
        why = "is no list of entries with directory, file, and command or arguments"
        raise TaskError(why, file=str(database), remedy="let the build write it again")
    home = database.resolve().parent
    return [{**one, "directory": str(home / one["directory"])} for one in entries]


def _are_words(listed: Any) -> bool:
    return isinstance(listed, list) and all(isinstance(word, str) for word in listed)


def _path_of(entry: dict[str, Any]) -> Path:
    return (Path(entry["directory"]) / entry["file"]).resolve()


def _read(entry: dict[str, Any], file: Path, database: Path) -> BuildFlags:
    folder = Path(entry["directory"])
    words = _plain(entry, folder, database)
    include: list[Path] = []
    defines: list[str] = []
    forced: list[tuple[str, str]] = []
    standard = None
    place = 0
    while place < len(words):
        word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
        place += 1
        kind = next((one for one in (*_FORCED, *_FOLDERS, "-D", "-U") if word.startswith(one)), None)
        if kind is not None and not word.startswith("-include-pch"):
            value = word[len(kind) :] or following
            place += word == kind
            if kind in _FOLDERS:
                include.append(folder / value.removeprefix("="))
            elif kind == "-D":
                defines.append(value)
            elif kind == "-U":
                defines = [one for one in defines if one.partition("=")[0] != value]
            else:
                forced.append((kind, value))
        elif word == "-std":
            standard, place = following, place + 1
        elif word.startswith("-std="):
            standard = word.partition("=")[2]
        elif (named := _AS_EDG.match(word)) is not None:
            standard = named.group(1)
    gone = next((one for one in include if not one.is_dir()), None)
    if gone is not None and not file.is_file():
        raise TaskError(f"names the folder {gone}, which is gone", file=str(database), remedy="build the project again")
    folders = tuple(dict.fromkeys(include))
    forced = [(kind, _found(value, folder, folders)) for kind, value in dict.fromkeys(forced)]
    return BuildFlags(include=folders, defines=tuple(defines), standard=standard, forced=tuple(forced))


def _found(name: str, folder: Path, folders: tuple[Path, ...]) -> str:
    """A file that is included first: in the folder of the build, or where headers are; its name where it is one of the system."""
    return next((str((one / name).resolve()) for one in (folder, *folders) if (one / name).is_file()), name)


def _plain(entry: dict[str, Any], folder: Path, database: Path) -> list[str]:
    """The words of a command, the options that count here spelled as g++ spells them."""
    words = [one for word in _words(entry, database) for one in _of_response_file(word, folder, database)]
    if _is_microsoft(words):
        plain = [_AS_MICROSOFT.sub(lambda found: _MICROSOFT[found.group(1)], word) for word in words]
        return [word if word.startswith(("-D", "-U")) else word.replace("\\", "/") for word in plain]
    plain = []
    before = ""
    for word in words:
        name, equals, value = word.partition("=")
        if before == "@":
            plain += _of_response_file(f"@{word}", folder, database)
        elif before:
            plain += _handed_on(before, word, database)
        elif word.startswith("-Wp,"):
            plain += word.split(",")[1:]
        elif equals and name in _FOR_OTHERS:
            plain += _handed_on(name, value, database)
        elif equals and _LONG.get(name) == "@":
            plain += _of_response_file(f"@{value}", folder, database)
        elif equals and name in _LONG:
            plain.append(f"{_LONG[name]}{'=' if name == '--std' else ''}{value}")
        elif word not in _FOR_OTHERS and _LONG.get(word) != "@":
            plain.append(_LONG.get(word, word))
        before = "" if before else word if word in _FOR_OTHERS else "@" if _LONG.get(word) == "@" else ""
    return plain


def _words(entry: dict[str, Any], database: Path) -> list[str]:
    """A command's words, of the one that a shell is told to run too."""
    words = list(entry.get("arguments") or ()) or _split(entry.get("command", ""), database)
    if words and _SHELL_NAME.search(words[0]):
        at = next((place for place, word in enumerate(words) if word.lower() in ("-c", "-lc", "/c")), None)
        words = words if at is None else _split(" ".join(words[at + 1 :]), database)
    if not words:
        name = _path_of(entry).name
        raise TaskError(f"has no command for {name}", file=str(database), remedy="let the build write it again")
    return words


def _split(text: str, database: Path) -> list[str]:
    """The words of a text, as a shell reads them; backslashes of Microsoft's paths stay."""
    try:
        words = shlex.split(text)
        if _is_microsoft(text.replace('"', " ").split()[:_LEADING]):
            words = shlex.split(re.sub(r'\\(?!")', r"\\\\", text))
    except ValueError as error:
        why = f"has a command that no shell can read: {error}: {text[:80]}"
        raise TaskError(why, file=str(database), remedy="let the build write it again") from error
    return words


def _is_microsoft(words: list[str]) -> bool:
    return any(_MICROSOFT_NAME.search(word) for word in words[:_LEADING])


def _handed_on(option: str, value: str, database: Path) -> list[str]:
    """What another compiler is handed: Clang's front end takes its word as it is."""
    return [value] if option == "-Xclang" else _split(value.replace(",", " "), database)


def _of_response_file(word: str, folder: Path, database: Path) -> list[str]:
    """The words of a file that a command names by `@FILE`, as build systems do where a line would be too long; else the word itself."""
    if not word.startswith("@") or len(word) == 1:
        return [word]
    file = folder / word[1:]
    try:
        return shlex.split(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TaskError(
            f"names the file {file} with more of its flags, which cannot be read: {error}",
            file=str(database),
            remedy="build the project again, or give -I, -D and -std",
        ) from error


@cache
def system_folders() -> tuple[str, ...]:
    """The folders in which the C++ compiler looks for the standard library's headers, its own builtin ones last.

    Raises:
        PrerequisiteMissing: There is no C++ compiler.
    """
    compiler = settings.cxx()
    try:
        run = subprocess.run(
            [compiler, "-E", "-v", "-x", "c++", "/dev/null"], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise PrerequisiteMissing(f"{compiler} does not run: {error}; install g++, or name one in CXX") from error
    listed = run.stderr.partition("#include <...> search starts here:")[2].partition("End of search list")[0]
    folders = [line.strip() for line in listed.splitlines() if line.strip()]
    builtin = [one for one in folders if re.search(r"/(gcc|clang)/.*/include(-fixed)?$", one)]
    return (*(one for one in folders if one not in builtin), *builtin)


def with_defaults(flags: BuildFlags) -> BuildFlags:
    """The flags with a standard, as far as tasks know it: newer ones are read as the newest known."""
    named = (flags.standard or "c++17").replace("gnu++", "c++").lower()
    older = {"c++03": "c++11", "c++98": "c++11", "c++0x": "c++11", "c++1y": "c++14", "c++1z": "c++17", "c++2a": "c++20"}
    named = older.get(named, named)
    return replace(flags, standard=named if named in ("c++11", "c++14", "c++17", "c++20") else "c++20")
