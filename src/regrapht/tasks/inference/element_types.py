"""The element type of a parameter, and what to write instead of a parameter that no task can have."""

from regrapht.records.element import MOST_NUMBERS, ElementType, StructType
from regrapht.source.c_types import TRUTHS, passed_type, resolve_alias, struct_name, struct_numbers
from regrapht.source.functions import Parameter, SourceUnit


def element_type(parameter: Parameter, unit: SourceUnit) -> ElementType | None:
    """A scalar type, or for a pointer a struct of the file of numbers and of such structs; None for anything else."""
    found = passed_type(parameter.type_text, aliases=unit.aliases)
    if found is not None or not parameter.pointer_depth:
        return found
    name = resolve_alias(parameter.type_text, unit.aliases)
    fields = struct_numbers(name, unit.structs, unit.aliases)
    known = tuple((field, scalar) for field, scalar in fields if scalar is not None)
    if not known or len(known) != len(fields):
        return None
    return StructType(c_name=struct_name(parameter.type_text, unit.aliases), fields=known)


def is_truth(parameter: Parameter, unit: SourceUnit) -> bool:
    """Whether a parameter is a `bool` or points to some: 0 or 1 in a byte."""
    return resolve_alias(parameter.type_text, unit.aliases) in TRUTHS


def why_no_argument(parameter: Parameter, unit: SourceUnit) -> tuple[str, str]:
    """What keeps a parameter from being an argument of a task, and how the function can be written instead."""
    name, kind = parameter.name, parameter.type_text
    if not name:
        return "a parameter has no name", "give it one"
    if "vector" in kind:
        element = kind[kind.find("<") + 1 : kind.rfind(">")] or "float"
        const = "const " if parameter.is_const else ""
        return (
            f"the parameter {name!r} is a {kind}",
            f"add a function that takes {const}{element}* {name} and its length, and choose it with --entry",
        )
    if parameter.is_reference:
        return f"the parameter {name!r} is a reference", f"take a pointer, {kind}* {name}, or a value"
    if parameter.pointer_depth > 1 or len(parameter.array_extents) > 1:
        remedy = f"take one flat pointer, {kind}* {name}, and index it as {name}[i * n + j]"
        return f"the parameter {name!r} is no flat pointer", remedy
    what = f"the parameter {name!r} is of type {kind!r}"
    resolved = resolve_alias(kind, unit.aliases)
    if "complex" in resolved:
        return what, f"take a struct of two floats instead: struct cf {{ float re, im; }}; cf* {name}"
    pointed = [text.rstrip("* ") for _, text in unit.structs.get(resolved, ()) if text.rstrip().endswith("*")]
    if any(resolve_alias(text, unit.aliases) in unit.structs for text in pointed):
        return what, "keep the number of another object in each (int next) in the place of a pointer to it"
    if resolved in unit.structs and parameter.pointer_depth:
        return (
            what,
            f"a struct in a task has fields of numbers, of such structs, and of arrays of constant length, {MOST_NUMBERS} numbers in all "
            "at most, side by side: no pointers, vectors, bool or bit fields inside, no base and no alignas",
        )
    if resolved in unit.structs:
        return what, f"hand a struct over as an array of one: const {kind}* {name}"
    return what, "use numbers, pointers to numbers, or pointers to structs of numbers that the file defines"
