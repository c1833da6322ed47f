"""The functions that a file of a project defines, and the one that was asked for."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from regrapht.errors import TaskError
from regrapht.source.library_calls import RANGE_CALLS
from regrapht.tasks.project.clang_unit import ClangUnit, Cursor
from regrapht.tasks.project.class_templates import arguments_of, instances_of, is_of_template, plain_type
from regrapht.tasks.project.expressions import is_constant

_CONTAINERS = {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE"}
_FUNCTIONS = {"FUNCTION_DECL", "CXX_METHOD", "FUNCTION_TEMPLATE"}
_LOOPS = {"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"}
HEADERS = (".h", ".hpp", ".hh", ".hxx")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFunction:
    """One function with a body."""

    cursor: Cursor
    name: str
    """With namespaces and class."""
    display: str
    """With the types of its parameters: `swe::step(double *, int)`."""
    file: str
    line: int

    @property
    def is_template(self) -> bool:
        return str(self.cursor.kind.name) == "FUNCTION_TEMPLATE" or is_of_template(self.cursor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The function that a task starts at, and what its template's parameters are."""

    function: ProjectFunction
    instance: tuple[tuple[str, str], ...] = ()
    made: Cursor | None = None
    """For a method of a class template: the method of the instance."""


class NotInstantiated(TaskError):
    """A template that nothing in the file makes anything of; another file may."""


def functions(unit: ClangUnit, *, everywhere: bool = False) -> list[ProjectFunction]:
    """The functions with a body in the file, in its order; with `everywhere` also those of the project's headers."""
    found = []
    for cursor in _definitions(unit, unit.root):
        file = cursor.location.file.name
        if not everywhere and file != str(unit.path):
            continue
        outer = qualified(cursor)
        shown = outer.removesuffix(cursor.spelling) + cursor.displayname
        found.append(
            ProjectFunction(cursor=cursor, name=outer, display=shown, file=file, line=int(cursor.location.line))
        )
    return found


def has_loop(function: Cursor) -> bool:
    """Whether a loop is written in it, or one of the standard library's over a range is called."""
    return any(node.kind.name in _LOOPS or _is_range_call(node) for node in function.walk_preorder())


def as_written(meant: Cursor) -> Cursor:
    """The declaration that is in the text: the template that an instance was made of, also where it is a member of an instance."""
    while (template := meant.specialized_template) is not None:
        meant = template
    return meant


def reaches_loop(unit: ClangUnit, function: Cursor) -> bool:
    """Whether a loop is in a function, or in what it calls, as far as bodies are in the unit."""
    left, seen = [function], {function.get_usr()}
    while left:
        one = left.pop()
        if has_loop(one):
            return True
        for node in one.walk_preorder():
            meant = node.referenced if node.kind.name == "CALL_EXPR" else None
            body = as_written(meant).get_definition() if meant is not None else None
            if body is not None and unit.is_own(body) and body.get_usr() not in seen:
                seen.add(body.get_usr())
                left.append(body)
    return False


def uses_variables(unit: ClangUnit, function: Cursor) -> bool:
    """Whether a function, or what it calls, reads or writes variables of the project that are outside of functions and no constants."""
    left, seen = [function], {function.get_usr()}
    while left:
        for node in left.pop().walk_preorder():
            meant = node.referenced if node.kind.name in ("DECL_REF_EXPR", "CALL_EXPR") else None
            if meant is None or not unit.is_own(meant) or meant.semantic_parent is None:
                continue
            outside = meant.semantic_parent.kind.name in ("NAMESPACE", "TRANSLATION_UNIT", "LINKAGE_SPEC")
            if meant.kind.name == "VAR_DECL" and outside and not is_constant(meant):
                return True
            body = meant.get_definition() if meant.kind.name in _FUNCTIONS else None
            if body is not None and body.get_usr() not in seen:
                seen.add(body.get_usr())
                left.append(body)
    return False


def _is_range_call(node: Cursor) -> bool:
    """Whether it is a call such as `std::transform(begin, end, ...)`; inside of a template it may have no name of its own."""
    if node.kind.name != "CALL_EXPR":
        return False
    name = node.spelling or next(
        (one.spelling for one in node.walk_preorder() if one.kind.name == "OVERLOADED_DECL_REF"), ""
    )
    meant = node.referenced
    return name in RANGE_CALLS and (meant is None or meant.location.is_in_system_header)


def is_local(cursor: Cursor) -> bool:
    """Whether a declaration stands in the body of a function, as the class of a lambda does."""
    outside = cursor.semantic_parent
    while outside is not None and outside.kind.name in ("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE"):
        outside = outside.semantic_parent
    return outside is not None and outside.kind.name in {*_FUNCTIONS, "CONSTRUCTOR", "DESTRUCTOR"}


def qualified(cursor: Cursor) -> str:
    """The name of a declaration with its namespaces and classes."""
    names, outer = [cursor.spelling], cursor.semantic_parent
    while outer is not None and outer.kind.name != "TRANSLATION_UNIT":
        if outer.spelling and outer.kind.name not in ("LINKAGE_SPEC", "UNEXPOSED_DECL") and "(" not in outer.spelling:
            names.insert(0, outer.spelling)
        outer = outer.semantic_parent
    return "::".join(names)


def _definitions(unit: ClangUnit, node: Cursor) -> Iterator[Cursor]:
    for child in unit.own_children(node):
        kind = child.kind.name
        if child.kind.is_preprocessing():
            continue
        if kind in _FUNCTIONS and child.is_definition():
            yield child
        elif kind in _CONTAINERS:
            yield from _definitions(unit, child)


def choose_function(unit: ClangUnit, entry: str | None) -> Chosen:
    """The function called `entry`: its name, with or without namespaces, a line or the types of its parameters to choose between several.

    Raises:
        TaskError: There is none, or several; the message lists how each is spelled.
    """
    file = str(unit.path)
    of_class, entry = _apart(entry)
    own = [one for one in functions(unit) if one.cursor.spelling != "main"]
    if entry is None:
        return _the_only_one(unit, own)
    asked = re.fullmatch(r"\s*([\w:~]+)\s*(?:<([^()]*)>)?\s*(\(.*\))?\s*", entry)
    placed = re.fullmatch(r"([\w:~]+?):(\d+)", entry)
    line = placed.group(2) if placed else ""
    name = placed.group(1) if placed else asked.group(1) if asked else entry
    every = functions(unit, everywhere=True)
    found = [one for one in every if one.name == name or one.name.endswith("::" + name)]
    found = [one for one in found if one.file == file] or found
    if line:
        found = [one for one in found if one.line == int(line)]
    if asked and asked.group(3):
        found = [one for one in found if _plain(one.display).endswith(_plain(name + asked.group(3)))]
    if not found:
        near = difflib.get_close_matches(name.rpartition("::")[2], [one.cursor.spelling for one in every], n=1)
        shown = next((one.name for one in every if near and one.cursor.spelling == near[0]), None)
        remedy = f"did you mean {shown!r}?" if shown else _listed(own) or "it has no function with a body"
        if _is_declared(unit.root, unit, name.rpartition("::")[2]):
            remedy = "it only declares it: give the file that has its body"
        raise TaskError(f"defines no function {entry!r}", file=file, key="--entry", remedy=remedy)
    if len(found) > 1:
        raise TaskError(
            f"has {len(found)} functions {name!r}", file=file, key="--entry", remedy=f"choose one: {_listed(found)}"
        )
    return _as_instance(unit, found[0], asked.group(2) if asked else None, of_class)


def _apart(entry: str | None) -> tuple[str | None, str | None]:
    """`System<double>` and `System::forces` of `System<double>::forces`: the class that is asked for, and the name without arguments."""
    found = re.match(r"\s*([\w:]*<[^()]*?>)(?=::[\w~]+)", entry) if entry is not None else None
    if found is None or entry is None:
        return None, entry
    return found.group(1), entry[: found.end()].partition("<")[0] + entry[found.end() :]


def _is_declared(node: Cursor, unit: ClangUnit, name: str) -> bool:
    """Whether a function of that name is declared in the file or the project's headers."""
    for child in node.get_children():
        if child.kind.is_preprocessing() or not unit.is_own(child):
            continue
        if child.kind.name in _FUNCTIONS and child.spelling == name:
            return True
        if child.kind.name in _CONTAINERS and _is_declared(child, unit, name):
            return True
    return False


def _the_only_one(unit: ClangUnit, own: list[ProjectFunction]) -> Chosen:
    called = {
        node.referenced.get_usr()
        for one in own
        for node in one.cursor.walk_preorder()
        if node.kind.name == "CALL_EXPR" and node.referenced is not None
        if node.referenced.get_usr() != one.cursor.get_usr()
    }
    free = [one for one in own if one.cursor.get_usr() not in called] or own
    if len(free) == 1:
        return _as_instance(unit, free[0], None, None)
    if not free:
        raise TaskError("defines no function that a task can start at", file=str(unit.path), remedy="define one")
    raise TaskError(
        f"has {len(free)} functions: {', '.join(f'{one.name} (line {one.line})' for one in free)}",
        file=str(unit.path),
        remedy="choose one with --entry NAME",
    )


def _listed(found: list[ProjectFunction]) -> str:
    return ", ".join(f"--entry '{one.display}' (line {one.line})" for one in found[:8])


def _plain(display: str) -> str:
    return re.sub(r"\s+", "", display)


def template_parameters(function: Cursor) -> list[str]:
    """The names of a function template's parameters."""
    kinds = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER")
    return [child.spelling for child in function.get_children() if child.kind.name in kinds]


def _as_instance(unit: ClangUnit, function: ProjectFunction, asked: str | None, of_class: str | None) -> Chosen:
    """A function, and where it is a template's, the instance that is meant."""
    if not is_of_template(function.cursor):
        return Chosen(function=function, instance=_instance(unit, function, asked))
    found = instances_of(unit, function.cursor)
    if of_class is not None:
        wanted = plain_type(of_class)
        fitting = [one for one in found if plain_type(one) == wanted or plain_type(one).endswith(f"::{wanted}")]
        found = {one: found[one] for one in fitting}
    if len(found) == 1:
        return Chosen(function=function, made=next(iter(found.values())))
    spelled = str(function.cursor.spelling)
    listed = ", ".join(f"--entry '{one}::{spelled}'" for one in list(found)[:6])
    place, file = f"line {function.line}", function.file
    if found:
        why = f"{function.name} is of a class template used in {len(found)} ways"
        raise TaskError(why, file=file, key=place, remedy=f"choose: {listed}")
    known = f" for {of_class}" if of_class is not None else ""
    raise NotInstantiated(
        f"{function.name} is of a class template, and nothing that was read calls it{known}", file=file, key=place,
        remedy="give the file that uses it, or write `template class NAME<double>;` in this one",
    )  # fmt: skip


def _instance(unit: ClangUnit, function: ProjectFunction, asked: str | None) -> tuple[tuple[str, str], ...]:
    """What a template's parameters stand for: as asked, else as the file instantiates or calls it."""
    if not function.is_template:
        return ()
    names = template_parameters(function.cursor)
    if asked is not None:
        given = [one.strip() for one in asked.split(",")]
        if len(given) == len(names):
            return tuple(zip(names, given, strict=True))
        raise TaskError(
            f"{function.name} has {len(names)} template parameters, not {len(given)}", file=function.file, key="--entry",
            remedy=f"write --entry '{function.name}<{', '.join(names)}>' with types in their place",
        )  # fmt: skip
    used = ways_of(unit, function)
    return tuple(zip(names, used[0], strict=True)) if len(used) == 1 else several(function, used)


def several(function: ProjectFunction, used: list[tuple[str, ...]]) -> NoReturn:
    """Say that a function template is used in several ways, or in none.

    Raises:
        TaskError: Always.
    """
    sample = used or [tuple("double" for _ in template_parameters(function.cursor))]
    listed = ", ".join(f"--entry '{function.name}<{', '.join(types)}>'" for types in sample[:6])
    why = (
        "is a template that nothing in the file instantiates" if not used else f"is a template used in {len(used)} ways"
    )
    kind = TaskError if used else NotInstantiated
    raise kind(f"{function.name} {why}", file=function.file, key=f"line {function.line}", remedy=f"choose: {listed}")


def ways_of(unit: ClangUnit, function: ProjectFunction) -> list[tuple[str, ...]]:
    """What a function template's parameters stand for wherever the file instantiates or calls it."""
    return sorted({*_uses(unit, function.cursor), *_instantiated(unit, function.cursor.spelling)})


def instances(unit: ClangUnit, function: ProjectFunction) -> dict[str, tuple[str, ...]]:
    """A template as the file uses it: as `--entry` takes each -> what its parameters are. None for a function that is no template."""
    if is_of_template(function.cursor):
        found = instances_of(unit, function.cursor)
        return {f"{of}::{function.cursor.spelling}": arguments_of(one) for of, one in found.items()}
    used = ways_of(unit, function) if function.is_template else []
    return {f"{function.name}<{', '.join(types)}>": types for types in used}


def _instantiated(unit: ClangUnit, name: str) -> Iterator[tuple[str, ...]]:
    """The explicit instantiations in the file, which Clang's library does not show."""
    text = unit.bytes_of(str(unit.path)).decode("utf-8", "replace")
    for listed in re.findall(rf"\btemplate\s+(?!<)[^;{{}}]*?\b{re.escape(name)}\s*<([^;{{}}()]*)>\s*\(", text):
        yield tuple(one.strip() for one in listed.split(","))


def _uses(unit: ClangUnit, template: Cursor) -> Iterator[tuple[str, ...]]:
    usr = template.get_usr()
    for top in unit.root.get_children():
        if top.kind.is_preprocessing() or not unit.is_own(top):
            continue
        for node in top.walk_preorder():
            meant = node.referenced if node.kind.name in ("CALL_EXPR", "FUNCTION_DECL", "DECL_REF_EXPR") else None
            of = meant.specialized_template if meant is not None and meant.kind.name == "FUNCTION_DECL" else None
            if meant is None or of is None or of.get_usr() != usr:
                continue
            texts = tuple(_argument(meant, place) for place in range(meant.get_num_template_arguments()))
            if texts and all(texts):
                yield texts


def _argument(function: Cursor, place: int) -> str:
    kind = function.get_template_argument_kind(place).name
    if kind == "TYPE":
        return str(function.get_template_argument_type(place).get_canonical().spelling)
    return str(function.get_template_argument_value(place)) if kind == "INTEGRAL" else ""
