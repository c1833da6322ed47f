"""The text that a function is read from: its file as it is, or what was taken out of its project to stand alone."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from regrapht.errors import PrerequisiteMissing, TaskError
from regrapht.records.user_code import BuildFlags, Home
from regrapht.source.c_types import passed_type
from regrapht.source.expand import expand_macros
from regrapht.source.functions import FunctionDefinition, Parameter, SourceUnit, read_unit
from regrapht.source.syntax import parse, text_of
from regrapht.tasks.entry import choose_entry
from regrapht.tasks.inference.element_types import element_type
from regrapht.tasks.project.rows import with_width
from regrapht.tasks.toml_table import read_text

SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".cu")
HEADERS = (".h", ".hpp", ".hh", ".hxx")
_OWN_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)
_FIXED = re.compile(r"\b(const|constexpr|typedef|using|extern|template|static_assert)\b|\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionText:
    """One function to make a task of."""

    path: Path
    """The user's file."""
    name: str
    """Of the reference's file."""
    text: str
    unit: SourceUnit
    function: FunctionDefinition
    home: Home | None = None
    language: str = "c++17"
    remade: bool = False
    """Whether the function was made flat."""

    def where(self, line: int) -> tuple[str, int]:
        """The user's file and line behind a line of the text."""
        return (str(self.path), line) if self.home is None else self.home.where(line)


def read_function(path: Path, *, entry: str | None, flags: BuildFlags) -> FunctionText:
    """The function called `entry`, or the only one: of a bare file as it is, of a project's file with what it needs.

    Raises:
        TaskError: There is none, or several, or the file does not compile.
        PrerequisiteMissing: A file of a project needs Clang's library, which is not here.
    """
    if path.suffix not in (*SUFFIXES, *HEADERS):
        raise TaskError(
            "is no C++ or CUDA", file=str(path), remedy=f"the name ends in {' '.join((*SUFFIXES, *HEADERS))}"
        )
    if not path.is_file():
        raise TaskError("there is no such file", file=str(path), remedy="give the path of a C++ or CUDA file")
    text = read_text(path, file=str(path), key=None)
    is_project = path.suffix in HEADERS or flags.given or _OWN_INCLUDE.search(text) is not None
    is_project = is_project or (entry is not None and not entry.isidentifier())
    if path.suffix == ".cu":
        return plain_function(path, text, entry)
    if is_project or _has_variables(text):
        return project_function(path, entry=entry, flags=flags)
    try:
        plain = plain_function(path, text, entry)
        return plain if is_flat(plain) else made_flat(path, entry=entry, flags=flags) or plain
    except TaskError:
        made = made_flat(path, entry=entry, flags=flags)
        if made is None:
            raise
        return made


def plain_function(path: Path, text: str, entry: str | None) -> FunctionText:
    """The function in a file that needs no other."""
    unit = read_unit(expand_macros(text), cuda=path.suffix == ".cu")
    function = choose_entry(unit, entry, file=str(path))
    return FunctionText(path=path, name=path.name, text=text, unit=unit, function=function)


def project_function(
    path: Path, *, entry: str | None, flags: BuildFlags, same: tuple[tuple[str, str], ...] = (), sized: bool = False
) -> FunctionText:
    """The function with what it needs of its project, made flat where it is not."""
    from regrapht.tasks.project.standalone import stand_alone

    alone = stand_alone(path, entry, flags, same=same, sized=sized)
    unit = read_unit(expand_macros(alone.text), structs=alone.home.structs)
    function = choose_entry(unit, alone.entry, file=str(path))
    name = "reference.c" if path.suffix == ".c" else "reference.cpp"
    return FunctionText(
        path=path,
        name=name,
        text=alone.text,
        unit=unit,
        function=function,
        home=alone.home,
        language=alone.language,
        remade=not alone.is_flat,
    )


def made_flat(path: Path, *, entry: str | None, flags: BuildFlags) -> FunctionText | None:
    """The function of a bare file made flat; None where that would change nothing and tells nothing of its structs,
    or where Clang's library is not here.

    Raises:
        TaskError: The file does not compile, or the function has no flat form.
    """
    try:
        found = project_function(path, entry=entry, flags=flags)
    except PrerequisiteMissing:
        return None
    return found if found.remade or (found.home is not None and found.home.structs) else None


def is_flat(found: FunctionText) -> bool:
    """Whether a function can be called from C as it stands: numbers, and pointers to them or to structs of them."""
    function, unit = found.function, found.unit
    returned = function.return_type
    if returned != "void" and passed_type(returned, aliases=unit.aliases) is None:
        return False
    body = text_of(function.body)
    for one in function.parameters:
        deep = one.pointer_depth > 1 or len(one.array_extents) > 1
        if deep or one.is_reference or not one.name or element_type(one, unit) is None:
            return False
        number = rf"(?<!\*)(?<!\* )\b{one.name}\b|\b{one.name}\s*[\[+-]"
        if one.pointer_depth and one.is_const and f"*{one.name}" in body and not re.search(number, body):
            return False  # a number by its address, as Fortran hands it over
    return not any(_may_end(one, two, body) for one, two in pairwise(function.parameters))


def _may_end(begin: Parameter, end: Parameter, body: str) -> bool:
    """Whether a pointer may be where the array before it ends: never followed, but compared, subtracted from or handed on."""
    if not (begin.pointer_depth and end.pointer_depth) or re.search(rf"\*\s*{end.name}\b|\b{end.name}\s*(\[|->)", body):
        return False
    return (
        re.search(rf"[=<>]\s*{end.name}\b|\b{end.name}\s*(!=|-|[<>])|\b{begin.name}\s*,\s*{end.name}\b", body)
        is not None
    )


def with_rows_of(found: FunctionText, width: str, used: str) -> FunctionText:
    """The function with rows of `used` elements, which the parameter `width` said before."""
    assert found.home is not None, "only a function of a project has rows"
    text, home = with_width(found.text, found.home, width, used)
    unit = read_unit(expand_macros(text), structs=home.structs)
    function = choose_entry(unit, found.function.name, file=str(found.path))
    return replace(found, text=text, home=home, unit=unit, function=function)


def _has_variables(text: str) -> bool:
    """Whether a file has variables outside of functions, which a function may read."""
    left = [parse(text)]
    while left:
        for node in left.pop().named_children:
            if node.type in ("namespace_definition", "linkage_specification", "declaration_list"):
                left.append(node)
            elif node.type == "declaration" and not _FIXED.search(text_of(node).split("=")[0]):
                return True
    return False
