"""What a build compiles, whatever drives it: compilers in front of the real ones in PATH note how they are called."""

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError

_COMPILERS = ("c++", "g++", "clang++", "cc", "gcc", "clang")
_SOURCES = (".cpp", ".cc", ".cxx", ".C")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(/[^"]+)"', re.MULTILINE)
_FORCED = ("-include", "-imacros")
_SCRIPT = """\
#!/bin/sh
# Notes a call of the compiler and makes it, with what a port adds to it.
{{ printf '%s\\0' "$PWD" "$@" $REGRAPHT_WORDS; }} > "{log}/$$.$(date +%N)"
exec "{real}" "$@" $REGRAPHT_WORDS
"""


QUIET = {"REGRAPHT_WORDS": "-w"}
"""For builds of copies that are only watched: a warning about what was put into them is no error there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """One source file of the application, and the target that it is built for."""

    source: Path
    """Below the project's folder."""
    folder: Path
    words: tuple[str, ...]
    output: str
    inside: Path = Path()
    """`folder`, below the project's."""

    @property
    def target(self) -> str | None:
        """CMake's name of what it belongs to; None in other builds."""
        found = re.search(r"CMakeFiles/([^/]+)\.dir/", self.output)
        return found.group(1) if found else None


@dataclass(frozen=True, slots=True)
class CompileLog:
    """A folder with compilers that note their calls, and the notes."""

    folder: Path

    def open(self) -> dict[str, str]:
        """Make the folder anew; the environment for a build."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        (self.folder / "calls").mkdir(parents=True)
        (self.folder / "bin").mkdir()
        changed = {"PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
        for name in _COMPILERS:
            self._put(name, shutil.which(name))
        for variable in ("CXX", "CC"):
            if variable in os.environ:
                self._put(variable, shutil.which(os.environ[variable]))
                changed[variable] = str(self.folder / "bin" / variable)
        return changed

    def _put(self, name: str, real: str | None) -> None:
        if real is not None:
            script = self.folder / "bin" / name
            script.write_text(_SCRIPT.format(log=self.folder / "calls", real=real), encoding="utf-8")
            script.chmod(0o755)

    def compiled(self, copy: Path) -> tuple[Compiled, ...]:
        """The sources of the copy that the build compiled, each once.

        Raises:
            ConfigError: None was: the build did nothing, or calls a compiler by its path.
        """
        found: dict[Path, Compiled] = {}
        own_folder = copy.resolve()
        for note in sorted((self.folder / "calls").iterdir()):
            folder, *words = note.read_bytes().decode("utf-8", "replace").split("\0")[:-1]
            output = words[words.index("-o") + 1] if "-o" in words[:-1] else ""
            for word in words:
                source, where = (Path(folder) / word).resolve(), Path(folder)
                if not (word.endswith(_SOURCES) and source.is_relative_to(own_folder) and source.is_file()):
                    continue
                inside = where.relative_to(own_folder) if where.is_relative_to(own_folder) else Path()
                for one in _sources_of(source, own_folder):
                    path, said = one.relative_to(own_folder), [str(one) if each == word else each for each in words]
                    found.setdefault(
                        path, Compiled(source=path, folder=where, words=tuple(said), output=output, inside=inside)
                    )
        if not found:
            raise ConfigError(
                "--build compiled no C++ file of the project: give the command of a whole build from its sources, with a compiler "
                "that is found by its name"
            )
        return tuple(found.values())


def _sources_of(source: Path, copy: Path) -> list[Path]:
    """The project's own sources that are compiled as `source`: itself, or those that a file made by CMake includes, one after another."""
    if not {"CMakeFiles", "CompilerIdCXX"} & set(source.relative_to(copy).parts):
        return [source]
    named = [Path(one).resolve() for one in _INCLUDED.findall(source.read_text(encoding="utf-8", errors="replace"))]
    return [one for one in named if one.suffix in _SOURCES and one.is_relative_to(copy) and one.is_file()]


def write_database(compiled: tuple[Compiled, ...], copy: Path, project: Path, file: Path) -> None:
    """A `compile_commands.json` for the project's own files, whose headers are looked for there first and then in the copy."""
    entries = []
    for one in compiled:
        words = ["c++"]
        for word in _absolute(one.words, one.folder):
            own = word.replace(str(copy.resolve()), str(project))
            kind = re.match(r"-include|-imacros|-I|-isystem", word)
            if kind is not None and kind.group() in _FORCED:
                words.append(own if Path(own[kind.end() :]).is_file() else word)  # else the build made it
            else:
                words += [own] if kind is None or own == word else [own, word]
        entries.append({"directory": str(project), "file": str(project / one.source), "arguments": words})
    file.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def _absolute(words: tuple[str, ...], folder: Path) -> list[str]:
    """Options with folders and files as one word each, absolute."""
    found: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        kind = next((one for one in (*_FORCED, "-I", "-isystem", "-iquote") if word.startswith(one)), None)
        if kind is not None and not word.startswith("-include-pch"):
            value = word[len(kind) :] or (words[place + 1] if place + 1 < len(words) else "")
            place += word == kind
            if kind in _FORCED:
                found.append(f"{kind}{(folder / value).resolve() if (folder / value).is_file() else value}")
            else:
                found.append(f"{kind if kind == '-I' else '-isystem'}{(folder / value).resolve()}")
        else:
            found.append(word)
        place += 1
    return found
