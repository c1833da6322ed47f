"""Makefiles in the manners of different people: what they compile and link with takes programs and their library."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regrapht.errors import ConfigError
from regrapht.session.port.compile_log import Compiled

FLAGS, LIBRARY, LIBRARIES = "$(REGRAPHT_FLAGS)", "$(REGRAPHT_LIBRARY)", "$(REGRAPHT_LIBRARIES)"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_COMPILED_WITH = ("CXXFLAGS", "CPPFLAGS", "CFLAGS")
_LINKED_WITH = ("LDLIBS", "LIBS", "LDFLAGS")
_COMPILER = re.compile(r"(?:\S*/)?(?:[\w.]+-)*(?:g\+\+|c\+\+|clang\+\+|gcc|cc|clang|icpx)(?:-[\d.]+)?")
_BUILT_IN = {"CXX": "g++", "CC": "cc"}
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_ASSIGNED = re.compile(r"(?:export\s+|override\s+)*(\w+)\s*(?::{0,3}|[?+])=\s*(.*)")
_INCLUDED = re.compile(r"-?s?include\s+(.+)")
_RULE = re.compile(r"([^\t#=:\s][^#=:]*)::?(?!=)\s*([^=;]*)$")
_FOLDER = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*")
_CALLS_MAKE = re.compile(r"\$[({]MAKE[)}]|(?<![\w./-])make(?=[\s;]|$)")
_NO_LINK = re.compile(r"-c|-E|-S|-MM?|-shared|-r")
_ENDS = re.compile(r"(?:\s+-l\S+)*(?:\s+(?:&&|\|\|?|;|>|2>|#)|;|\s*$)")
"""Where a command of a shell ends in a line of a recipe, before its last libraries: those may be what ours needs."""
_AFTER_OBJECTS = re.compile(
    r"-o\s*\S+|-[lLW]\S+|-pthread|-static\S*|-g|-O\w*|\$[({](?:LDLIBS|LIBS|LDFLAGS|CXXFLAGS)[)}]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Command:
    """A line of a recipe that calls a compiler, with what it is when variables are written out."""

    file: Path
    first: int
    last: int
    """Its lines; they differ where it goes on after a backslash."""
    text: str
    words: tuple[str, ...]
    target: str
    of_c: bool
    """Whether its rule is for C alone."""

    @property
    def links(self) -> bool:
        return not any(_NO_LINK.fullmatch(word) for word in self.words)

    def uses(self, names: Sequence[str]) -> str | None:
        """The first of these variables that it names itself."""
        return next((name for name in names if re.search(rf"\$[({{]{name}[)}}]", self.text)), None)

    def takes_libraries(self) -> str | None:
        """The variable that libraries can be added to: one after the objects, or a linker does not look into them."""
        for name in _LINKED_WITH:
            found = re.search(rf"\$[({{]{name}[)}}]", self.text)
            if found is not None and not _AFTER_OBJECTS.sub("", self.text[found.end() :]).strip(" \t\\\n"):
                return name
        return None


def into_make(makefile: Path, compiled: Sequence[Compiled], *, build: str, rules: str) -> dict[Path, str]:
    """What a Makefile, those that it includes and those that it leaves work to are to be, so that the programs are compiled in and linked.

    Variables are added to where the recipes use them; lines of recipes without are given more words.

    Args:
        build: The command of the build: what it assigns is not added to by a plain `+=`.
        rules: The file that is included for the programs, as the Makefile names it.

    Raises:
        ConfigError: It has no line to put them into; in one line, what to do.
    """
    below = _below(makefile, compiled)
    whole = list[_Made]()
    for file in (makefile, *below):
        here = [one for one in compiled if not below or makefile.parent / one.inside == file.parent]
        whole.append(_of_one(file, compiled, [one.output for one in here]))
    if not any(one.programs for one in whole):
        if any(one.commands for one in whole) or not whole[0].calls_make:
            raise ConfigError(f"{makefile.name} names no program that it links: give the program a rule of its own")
        raise ConfigError(
            f"{makefile.name} leaves compiling to other Makefiles that it does not name: give the folder of the one that "
            "compiles and links as DIR"
        )
    handed = "\n".join((build, *(one.calls_make for one in whole)))
    changed: dict[Path, str] = {}
    for one in whole:
        changed |= one.edits.texts()
        if one.file != makefile and not one.compiles:
            continue
        own = rules if one.file == makefile else os.path.relpath(makefile.parent / rules, one.file.parent)
        lines = ["", f"include {own}  # made by regrapht"]
        for name, more in dict.fromkeys(one.added):
            override = "override " if re.search(rf"(?<!\w){name}=", handed) else ""
            lines.append(f"{override}{name} += {more}")
        lines += [f"{program}: {LIBRARY}" for program in one.programs]
        text = changed.get(one.file, one.file.read_text(encoding="utf-8")).rstrip("\n")
        changed[one.file] = text + "\n" + "\n".join(lines) + "\n"
    return changed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """What becomes of one Makefile."""

    file: Path
    commands: Sequence[_Command]
    compiles: bool
    """Whether compilers are called in its folder."""
    calls_make: str
    """The lines by which it calls make again."""
    edits: "_Edits"
    added: Sequence[tuple[str, str]]
    """Variables, and what is added to them."""
    programs: Sequence[str]
    """What it links, as it writes it."""


def _of_one(makefile: Path, compiled: Sequence[Compiled], outputs: Sequence[str]) -> _Made:
    """
    Args:
        outputs: What compilers made in its folder.
    """
    files = _with_included(makefile)
    commands, plain_rules, variables, calls_make = _read(files)
    at_once = any("-c" not in one.words for one in compiled)
    links = [one for one in commands if one.links]
    compiles = [one for one in commands if not one.of_c and ("-c" in one.words or (at_once and one.links))]
    edits = _Edits(files)
    added: list[tuple[str, str]] = []
    for one in compiles:
        if (flags := one.uses(_COMPILED_WITH)) is not None:
            added.append((flags, FLAGS))
        else:
            edits.after_compiler(one)
    others_compile = not commands and bool(calls_make)
    if not compiles and not others_compile:  # make's own rule for C++ uses it
        added.append(("CXXFLAGS", FLAGS))
    for one in links:
        if (name := one.takes_libraries()) is not None:
            added.append((name, f"{LIBRARY} {LIBRARIES}"))
        else:
            edits.at_end(one)
    if not links and not others_compile:  # and its own rule for programs uses this
        added.append(("LDLIBS", f"{LIBRARY} {LIBRARIES}"))
    targets = [one.target for one in links] if links else plain_rules
    programs = sorted({one for one in outputs if one and not one.endswith(".o")})
    by_name = {
        _expanded(one, variables): one for one in [*programs, *targets]
    }  # the Makefile's own writing of it is shown
    return _Made(
        file=makefile,
        commands=commands,
        calls_make="\n".join(_expanded(one, variables) for one in calls_make),
        compiles=bool(commands or outputs),
        edits=edits,
        added=added,
        programs=[one for one in by_name.values() if one and "%" not in one],
    )


def _below(makefile: Path, compiled: Sequence[Compiled]) -> list[Path]:
    """The Makefiles that one leaves work to: in the folders that it names, and in those where its build called a compiler."""
    found, left = [makefile], [makefile]
    while left:
        one = left.pop(0)
        _, _, variables, calls = _read(_with_included(one))
        if not calls:
            continue
        named = {word for text in (*variables.values(), _plain_text(one)) for word in _FOLDER.findall(text)}
        folders = {one.parent / word.lstrip("/") for word in named}
        if one == makefile:
            folders |= {makefile.parent / each.inside for each in compiled}
        for folder in sorted(folders):
            inner = next((folder / name for name in MAKEFILES if (folder / name).is_file()), None)
            if inner is not None and not any(inner.samefile(each) for each in found):
                if not inner.resolve().is_relative_to(makefile.parent.resolve()):
                    continue
                found.append(inner)
                left.append(inner)
    return found[1:]


def _plain_text(makefile: Path) -> str:
    return "\n".join(
        text for one in _with_included(makefile) for _, _, text in _logical(one.read_text(encoding="utf-8"))
    )


class _Edits:
    """Words put into lines of recipes."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.lines = {file: file.read_text(encoding="utf-8").splitlines(keepends=True) for file in files}
        self.changed: set[Path] = set()

    def after_compiler(self, one: _Command) -> None:
        """Options, where a compiler's begin."""
        lines = self.lines[one.file]
        for place in range(one.first, one.last + 1):
            found = next(
                (word for word in re.finditer(r"[^\s@+-]\S*", lines[place]) if _is_compiler(word.group(), {})), None
            )
            found = found or re.search(r"\$[({]\w+[)}]", lines[place])
            if found is not None:
                lines[place] = f"{lines[place][: found.end()]} {FLAGS}{lines[place][found.end() :]}"
                self.changed.add(one.file)
                return

    def at_end(self, one: _Command) -> None:
        """Libraries, behind all that a line links."""
        lines = self.lines[one.file]
        line = lines[one.last].rstrip("\n")
        end = _ENDS.search(line)
        assert end is not None, "a line's own end is one"
        place = end.start()
        lines[one.last] = f"{line[:place]} {LIBRARY} {LIBRARIES}{line[place:]}\n"
        self.changed.add(one.file)

    def texts(self) -> dict[Path, str]:
        return {file: "".join(self.lines[file]) for file in self.changed}


def _with_included(makefile: Path) -> list[Path]:
    """It and the files of the project that it includes by their names."""
    found = [makefile]
    for line in makefile.read_text(encoding="utf-8").splitlines():
        included = _INCLUDED.match(line)
        names = included.group(1).split("#")[0].split() if included else ()
        found += [makefile.parent / name for name in names if "$" not in name and (makefile.parent / name).is_file()]
    return found


def _read(files: Sequence[Path]) -> tuple[list[_Command], list[str], dict[str, str], list[str]]:
    """Commands of recipes that call a compiler, targets that make's own rules link, the variables, and lines that call make again."""
    whole = [(file, *line) for file in files for line in _logical(file.read_text(encoding="utf-8"))]
    variables = dict(_BUILT_IN)
    for _, _, _, text in whole:
        assigned = None if text.startswith("\t") else _ASSIGNED.match(text)
        if assigned is not None:
            name, value = assigned.group(1), assigned.group(2)
            variables[name] = f"{variables.get(name, '')} {value}" if "+=" in text[: assigned.start(2)] else value
    commands, linked, calls_make = list[_Command](), dict[str, bool](), list[str]()
    target, needs = "", ""
    for file, first, last, text in whole:
        rule = None if text.startswith("\t") else _RULE.match(text)
        if rule is not None:
            target, needs = rule.group(1).strip(), rule.group(2)
            if re.search(r"\.o\b", _expanded(needs, variables)) and not re.search(r"\.o\b|%", target):
                linked.setdefault(target, True)
        elif text.startswith("\t"):
            linked[target] = False
            words = tuple(_expanded(text.lstrip("\t @+-"), variables).replace("\\\n", " ").split())
            if _CALLS_MAKE.search(text):
                calls_make.append(text)
            if words and _is_compiler(words[0], variables):
                of_c = bool(re.search(r"\.c(?!\w)", f"{target} {needs}")) and not re.search(
                    r"\.c(?:c|pp|xx)\b", f"{target} {needs}"
                )
                commands.append(
                    _Command(file=file, first=first, last=last, text=text, words=words, target=target, of_c=of_c)
                )
    return commands, [one for one, still in linked.items() if still], variables, calls_make


def _logical(text: str) -> Iterator[tuple[int, int, str]]:
    """First line, last line and text of what backslashes join."""
    first, gathered = 0, list[str]()
    for place, line in enumerate(text.splitlines()):
        first = first if gathered else place
        gathered.append(line)
        if not line.endswith("\\"):
            yield first, place, "\n".join(gathered)
            gathered = []


def _is_compiler(word: str, variables: dict[str, str]) -> bool:
    text = _expanded(word, {**_BUILT_IN, **variables}).split()
    return bool(text) and _COMPILER.fullmatch(text[0]) is not None


def _expanded(text: str, variables: dict[str, str]) -> str:
    """With plain variables written out, those of variables too."""
    for _ in range(8):
        after = _VARIABLE.sub(lambda found: variables.get(found.group(1), found.group()), text)
        if after == text:
            break
        text = after
    return text
