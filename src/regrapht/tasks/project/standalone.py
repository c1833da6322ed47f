"""A function of a project as a file that stands alone and that a task can start at."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags, FlatPlace, Home, Members
from regrapht.source.expand import expand_macros
from regrapht.tasks.project.build_flags import flags_of, with_defaults
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor, parse_unit, unit_of
from regrapht.tasks.project.class_templates import class_of, probe, probed
from regrapht.tasks.project.end_pointers import ends_of
from regrapht.tasks.project.flatten import Flat, flatten
from regrapht.tasks.project.functions import Chosen, NotInstantiated, choose_function, qualified, uses_variables
from regrapht.tasks.project.layouts import layouts_of
from regrapht.tasks.project.other_files import used_in, users_of
from regrapht.tasks.project.places import BODY_REMEDY, NoBody, Refused, is_plain_struct, is_scalar
from regrapht.tasks.project.pointer_uses import points_to_a_number
from regrapht.tasks.project.slice import Slice, slice_of

_SIZE = "std::size_t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standalone:
    """The file's text, the function in it, and where both are from."""

    text: str
    entry: str
    home: Home
    language: str
    is_flat: bool
    """Whether the function was flat as it stood."""


def stand_alone(
    path: Path, entry: str | None, flags: BuildFlags, *, same: tuple[tuple[str, str], ...] = (), sized: bool = False
) -> Standalone:
    """Take the function called `entry` out of a file of a project.

    Args:
        same: Parameters of the flat function that are equal in every call, as `flatten` has them.
        sized: Whether the length of every vector is a parameter.

    Raises:
        TaskError: The file does not compile, there is no such function, or it has no flat form; the message names the user's file and line.
    """
    unit, known, chosen = _chosen(path, entry, flags)
    cut = slice_of(unit, chosen.function.cursor, known, chosen.made)
    home = _home(chosen, unit.source(chosen.function.cursor), cut, known)
    language = str(with_defaults(known).standard)
    if not chosen.instance and _is_flat(unit, chosen.function.cursor) and not _has_spaces(cut):
        _refuse_undefined(cut, home)
        home = replace(home, structs=_structs_of(chosen.function.cursor, home))
        return Standalone(
            text=cut.text, entry=chosen.function.cursor.spelling, home=home, language=language, is_flat=True
        )
    text = _instantiated(cut, chosen) if chosen.instance else cut.text
    text = expand_macros(text) + (probe(chosen.made) if chosen.made is not None else "")
    second = parse_unit(
        unit.path.with_name(f"{path.stem}.standalone.cpp"),
        BuildFlags(standard=known.standard),
        text=text,
        private=chosen.made is None,
    )
    if chosen.made is not None:
        again = probed(second.root)
    else:
        again = _at_line(second.root, chosen.function.cursor.spelling, cut.at, str(second.path))
    if again is None:
        raise TaskError(
            f"cannot follow {chosen.function.name} once it stands alone", file=home.file, key=f"line {home.line}"
        )
    try:
        flat = flatten(second, again, same=same, sized=sized)
    except Refused as refused:
        file, line = home.where(refused.line)
        remedy = cut.unread.get(refused.name) if isinstance(refused, NoBody) else None
        raise TaskError(refused.why, file=file, key=f"line {line}", remedy=remedy or refused.remedy) from refused
    return _written(flat, text, home, language)


def _chosen(path: Path, entry: str | None, flags: BuildFlags) -> tuple[ClangUnit, BuildFlags, Chosen]:
    """The function, in the file or, where that makes nothing of its template, as another file of the project uses it."""
    known = flags_of(path, flags)
    unit = unit_of(path, known)
    try:
        return unit, known, choose_function(unit, entry)
    except NotInstantiated as error:
        name = re.sub(r"<.*>|\(.*|:\d+$", "", entry or "").rpartition("::")[2]
        for other, its_flags in users_of(path, name, known):
            if (chosen := used_in(other, unit, entry)) is not None:
                return (unit, known, chosen) if chosen.instance else (other, its_flags, chosen)
        raise error


def _written(flat: Flat, text: str, home: Home, language: str) -> Standalone:
    lines, runs = [], []
    for line in text.split("\n"):
        if re.match(r"\s*#\s*(include|define|undef)\b", line):
            lines.append(line)
    body = "\n".join(piece.text for piece in flat.pieces)
    if _SIZE in body and not any("<cstddef>" in line for line in lines):
        lines.insert(0, "#include <cstddef>")
    lines.append("")
    for piece in flat.pieces:
        for number, line in enumerate(piece.text.split("\n")):
            file, own = home.where(piece.line + (number if piece.spread else 0))
            runs.append((len(lines) + 1, file, own))
            lines.append(line)
        lines.append("")
    files = tuple(dict.fromkeys(file for _, file, _ in runs))
    mapped = tuple((first, files.index(file), own) for first, file, own in runs)
    own_home = replace(
        home,
        places=flat.places,
        files=files,
        lines=mapped,
        notes=flat.notes,
        same=flat.same,
        returned=flat.returned,
        structs=flat.structs,
    )
    return Standalone(
        text="\n".join(lines).rstrip("\n") + "\n", entry=flat.name, home=own_home, language=language, is_flat=False
    )


def _home(chosen: Chosen, source: str, cut: Slice, flags: BuildFlags) -> Home:
    function = chosen.function.cursor
    body = next(one for one in function.get_children() if one.kind.name == "COMPOUND_STMT")
    head = source[: source.index("{")] if "{" in source else source
    files = tuple(dict.fromkeys(origin[0] for origin in cut.origins if origin is not None))
    runs: list[tuple[int, int, int]] = []
    before: tuple[str, int] | None = None
    for number, origin in enumerate(cut.origins, start=1):
        if origin is not None and (before is None or before != (origin[0], origin[1] - 1)):
            runs.append((number, files.index(origin[0]), origin[1]))
        before = origin
    parent = function.semantic_parent
    spaces: list[str] = []
    member = parent.spelling if function.kind.name == "CXX_METHOD" else None
    outer = parent
    while outer is not None and outer.kind.name != "TRANSLATION_UNIT":
        if outer.kind.name == "NAMESPACE" and outer.spelling and "(" not in outer.spelling:
            spaces.insert(0, outer.spelling)
        outer = outer.semantic_parent
    arguments = tuple(str(one.spelling) for one in _parameters(function))
    return Home(
        file=str(Path(chosen.function.file).resolve()),
        line=chosen.function.line,
        body_line=body.extent.start.line,
        body_column=body.extent.start.column,
        name=qualified(function),
        namespaces=tuple(spaces),
        member_of=member,
        declaration=" ".join(head.split()),
        arguments=arguments,
        places=tuple(
            FlatPlace(name=name, expression=name, form="value" if is_scalar(one.type) else "pointer")
            for name, one in zip(arguments, _parameters(function), strict=True)
        ),
        files=files,
        lines=tuple(runs),
        original=cut.text,
        only_in=_only_in(chosen),
        include=tuple(str(folder.resolve()) for folder in flags.include),
        defines=flags.defines,
    )


def _only_in(chosen: Chosen) -> str | None:
    """Where the text of a template is that of the instance, as a condition in C++."""
    if chosen.made is not None:
        return f"std::is_same<{chosen.made.semantic_parent.spelling}, ::{class_of(chosen.made)}>::value"
    kinds = {one.spelling: one.kind.name for one in chosen.function.cursor.get_children()}
    parts = [
        f"std::is_same<{name}, {value}>::value" if kinds[name] == "TEMPLATE_TYPE_PARAMETER" else f"{name} == {value}"
        for name, value in chosen.instance
    ]
    return " && ".join(parts) or None


def _parameters(function: Cursor) -> list[Cursor]:
    return [one for one in function.get_children() if one.kind.name == "PARM_DECL"]


def _is_flat(unit: ClangUnit, function: Cursor) -> bool:
    """Whether a function can be called from C as it stands: numbers and plain pointers, and no globals that change."""
    if function.kind.name != "FUNCTION_DECL" or function.result_type.get_canonical().kind.name == "RECORD":
        return False
    if not all(_is_flat_type(one.type) for one in _parameters(function)):
        return False
    if ends_of(function) or any(points_to_a_number(function, one) for one in _parameters(function)):
        return False
    return not uses_variables(unit, function)


def _is_flat_type(kind: object) -> bool:
    meant = kind.get_canonical()  # type: ignore[attr-defined]
    if is_scalar(meant):
        return str(meant.kind.name) not in ("BOOL", "ENUM")
    if meant.kind.name == "POINTER":
        inner = meant.get_pointee().get_canonical()
        return is_scalar(inner) or (_has_plain_name(inner) and is_plain_struct(inner))
    if meant.kind.name in ("INCOMPLETEARRAY", "CONSTANTARRAY"):
        return is_scalar(meant.element_type)
    return False


def _has_plain_name(kind: object) -> bool:
    """Whether it is a struct that C can name: no instance of a template, not inside of a class."""
    declared = kind.get_declaration()  # type: ignore[attr-defined]
    outer = declared.semantic_parent
    return (
        kind.kind.name == "RECORD"  # type: ignore[attr-defined]
        and kind.get_num_template_arguments() < 1  # type: ignore[attr-defined]
        and outer is not None
        and outer.kind.name in ("TRANSLATION_UNIT", "LINKAGE_SPEC", "NAMESPACE")
    )


def _structs_of(function: Cursor, home: Home) -> tuple[tuple[str, Members], ...]:
    """How the structs lie that the parameters of a flat function point to."""
    found: dict[str, Members] = {}
    for one in _parameters(function):
        kind = one.type.get_canonical().get_pointee().get_canonical()
        if kind.kind.name == "RECORD":
            try:
                found |= layouts_of(str(kind.get_declaration().spelling), kind, one)
            except Refused as refused:
                raise TaskError(
                    refused.why, file=home.file, key=f"line {refused.line}", remedy=refused.remedy
                ) from refused
    return tuple(found.items())


def _has_spaces(cut: Slice) -> bool:
    return any(
        line.startswith("namespace") for line, origin in zip(cut.lines, cut.origins, strict=True) if origin is None
    )


def _refuse_undefined(cut: Slice, home: Home) -> None:
    if cut.undefined:
        name, call = cut.undefined[0]
        raise TaskError(
            f"calls '{name}', whose body is in another file",
            file=call.location.file.name,
            key=f"line {call.location.line}",
            remedy=cut.unread.get(name, BODY_REMEDY),
        )


def _at_line(root: Cursor, name: str, line: int, file: str) -> Cursor | None:
    for node in root.get_children():
        if node.kind.is_preprocessing() or node.location.file is None or node.location.file.name != file:
            continue
        for inner in node.walk_preorder():
            if (
                inner.spelling == name
                and inner.location.line == line
                and inner.kind.name in ("FUNCTION_DECL", "CXX_METHOD")
            ):
                return inner
    return None


def _instantiated(cut: Slice, chosen: Chosen) -> str:
    """The text with the template as a plain function, its parameters written out."""
    lines = cut.text.split("\n")
    first = cut.at - 1
    while first > 0 and "template" not in lines[first]:
        first -= 1
    text = "\n".join(lines[first:])
    start = text.index("template")
    end = _closing(text, text.index("<", start))
    head = "\n" * text[start : end + 1].count("\n")
    stop = _closing(text, text.index("{", end))
    own = text[end + 1 : stop + 1]
    for name, value in chosen.instance:
        own = re.sub(rf"(?<![.\w>]){re.escape(name)}\b", _one_word(value), own)
    return "\n".join(lines[:first]) + ("\n" if first else "") + text[:start] + head + own + text[stop + 1 :]


def _one_word(value: str) -> str:
    return {"unsigned int": "unsigned", "long long": "std::int64_t", "unsigned long": "std::size_t"}.get(value, value)


def _closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` is closed."""
    closing = {"<": ">", "{": "}"}[text[at]]
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == text[at]) - (text[place] == closing)
        if depth == 0:
            return place
    return len(text) - 1
