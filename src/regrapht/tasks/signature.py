"""Holding a task's arguments against the function that its reference defines."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.errors import TaskError
from regrapht.records.element import SCALAR_TYPES, ElementType, ScalarType, StructType, member_keys
from regrapht.records.task import Arg, ArgKind, Reference, Role
from regrapht.records.user_code import Home
from regrapht.source.c_types import passed_type, resolve_alias, struct_name, struct_numbers
from regrapht.source.functions import FunctionDefinition, Parameter, SourceUnit, read_unit
from regrapht.tasks.toml_table import Table
from regrapht.wording import did_you_mean

_ON_DEVICE = "a task starts at a function that runs on the host"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """What the reference says of itself: its parameters by name, and, unless it is Python, what types they have."""

    parameter_names: tuple[str, ...] | None
    """None for a Python reference that takes `**arguments`."""
    function: FunctionDefinition | None
    unit: SourceUnit | None

    def struct_name(self, arg: str, *, entry: str) -> str:
        """How the reference spells the struct type of the argument `arg`."""
        if self.function is None or self.unit is None:
            return f"{entry}_{arg}"
        parameter = next(p for p in self.function.parameters if p.name == arg)
        return struct_name(parameter.type_text, self.unit.aliases)

    @property
    def returns(self) -> str | None:
        """The return type as written; None for void and for a Python reference."""
        if self.function is None or self.function.return_type == "void":
            return None
        return self.function.return_type


def read_interface(table: Table, reference: Reference, *, entry: str, home: Home | None = None) -> Interface:
    """Find the entry in the reference.

    Args:
        home: What a compiler has said of the reference's structs.

    Raises:
        TaskError: It is not there, is there more than once, or is nothing that a task can start at.
    """
    if reference.source.suffix == ".py":
        return _python_interface(table, reference)
    unit = read_unit(
        reference.source.text,
        cuda=reference.source.suffix == ".cu",
        defines=reference.defines,
        structs=home.structs if home is not None else (),
    )
    found = unit.named(entry)
    if not found:
        _no_such_function(table, reference, unit, entry)
    if len(found) > 1:
        lines = ", ".join(str(function.line) for function in found)
        table.fail(
            "entry",
            f"{reference.source.name} defines {entry!r} on lines {lines}",
            "give the one meant a name of its own",
        )
    function = found[0]
    if function.is_template:
        table.fail("entry", f"{entry!r} is a template", "name a function that calls it with fixed types")
    if function.runs_on_device:
        table.fail("entry", f"{entry!r} runs on the device; {_ON_DEVICE}", "name the function that launches it")
    return Interface(parameter_names=tuple(p.name for p in function.parameters), function=function, unit=unit)


def read_return_type(table: Table, interface: Interface) -> ScalarType | None:
    """The scalar type that the reference returns; None for void.

    Raises:
        TaskError: It returns something else.
    """
    if interface.returns is None or interface.unit is None:
        return None
    found = passed_type(interface.returns, aliases=interface.unit.aliases)
    if found is None:
        remedy = "return void, a number or bool, and hand arrays over as pointers"
        table.fail("entry", f"the reference returns {interface.returns!r}", remedy)
    return found


def check_names(table: Table, names: Sequence[str], interface: Interface, *, entry: str) -> None:
    """Refuse arguments whose number, order or names are not those of the function."""
    expected = interface.parameter_names
    if interface.function is None or expected is None:
        return
    written = f"{entry}({', '.join(expected)})"
    if len(names) != len(expected):
        table.fail(
            "args",
            f"{len(names)} arguments, but the reference has {len(expected)}: {written}",
            "list each parameter once, in order",
        )
    for position, (name, right) in enumerate(zip(names, expected, strict=True), start=1):
        if name == right:
            continue
        if set(names) == set(expected):
            table.fail("args", f"in another order than the reference's {written}", f"argument {position} is {right!r}")
        table.fail(
            f"args.{name}", f"argument {position} of the reference is called {right!r}", f'write name = "{right}"'
        )


def check_types(table: Table, args: Sequence[Arg], interface: Interface) -> None:
    """Refuse arguments whose type is not the one that the function declares."""
    if interface.function is None or interface.unit is None:
        _check_python(table, args, interface.parameter_names)
        return
    for arg, parameter in zip(args, interface.function.parameters, strict=True):
        _check_type(table, arg, parameter, interface.unit)


def _check_python(table: Table, args: Sequence[Arg], names: tuple[str, ...] | None) -> None:
    """A Python reference takes every argument, or every one but the `out` arrays, by name."""
    every = {arg.name for arg in args}
    needed = {arg.name for arg in args if arg.role is not Role.OUT}
    if names is not None and set(names) not in (every, needed):
        table.fail(
            "args",
            f"the reference is reference({', '.join(names)})",
            f"it takes {', '.join(sorted(needed))}, or **arguments",
        )


def _check_type(table: Table, arg: Arg, parameter: Parameter, unit: SourceUnit) -> None:
    place, declared = f"args.{arg.name}", f"line {parameter.line} of the reference"
    if parameter.is_reference:
        table.fail(place, f"{declared} takes {arg.name!r} by reference", "take a value or a pointer")
    if parameter.pointer_depth > 1 or len(parameter.array_extents) > 1:
        table.fail(place, f"{declared} takes an array of arrays", "take one flat pointer and index it as a[i * n + j]")
    is_array = arg.kind is ArgKind.ARRAY
    if is_array != (parameter.pointer_depth == 1):
        remedy = 'write kind = "array"' if parameter.pointer_depth else 'write kind = "size" or "scalar"'
        table.fail(
            f"{place}.kind", f"{declared} declares {'a pointer' if parameter.pointer_depth else 'a value'}", remedy
        )
    if is_array and parameter.is_const and arg.role is not Role.IN:
        table.fail(f"{place}.role", f"{declared} declares a const pointer", 'write role = "in"')
    _check_element(table, arg.dtype, parameter, unit, f"{place}.dtype")


def _check_element(table: Table, dtype: ElementType, parameter: Parameter, unit: SourceUnit, place: str) -> None:
    spelled = f"line {parameter.line} of the reference declares {parameter.type_text!r}"
    if isinstance(dtype, StructType):
        defined = resolve_alias(dtype.c_name, unit.aliases)
        if dtype.c_name not in unit.structs and defined not in unit.structs:
            table.fail(
                place, f"{spelled}, and no struct of that name is in the file", "define the struct in the reference"
            )
        wanted = struct_numbers(defined, unit.structs, unit.aliases)
        if wanted != list(dtype.fields):
            fields = ", ".join(f'{key} = "{kind.name if kind else "?"}"' for key, kind in member_keys(wanted))
            table.fail(place, f"the fields of {dtype.c_name!r} are others", f"write dtype = {{{fields}}}")
        return
    found = passed_type(parameter.type_text, aliases=unit.aliases)
    if found is None:
        known = parameter.type_text in unit.structs
        remedy = (
            "describe its fields: dtype = {x = ...}" if known else f"use a type of this list: {', '.join(SCALAR_TYPES)}"
        )
        table.fail(place, f"{spelled}, which is no scalar type", remedy)
    if found != dtype:
        table.fail(place, f"is {dtype.name}, but {spelled}", f'write dtype = "{found.name}"')


def _no_such_function(table: Table, reference: Reference, unit: SourceUnit, entry: str) -> Any:
    names = sorted({function.name for function in unit.functions})
    remedy = did_you_mean(entry, names) if names else "define it there"
    unread = f"; line {unit.error_line} does not parse" if unit.error_line else ""
    table.fail("entry", f"{reference.source.name} defines no function {entry!r}{unread}", remedy)


def _python_interface(table: Table, reference: Reference) -> Interface:
    file = reference.source.name
    try:
        tree = ast.parse(reference.source.text)
    except (SyntaxError, ValueError) as error:
        raise TaskError(
            f"{file} is no Python: {error}", file=table.file, key="reference.file", remedy="correct it"
        ) from error
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "reference"]
    if not found:
        table.fail(
            "reference.file", f"{file} defines no function 'reference'", "define reference(...) -> dict of the outputs"
        )
    arguments = found[0].args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    free = found[0].args.kwarg is not None
    return Interface(parameter_names=None if free else tuple(names), function=None, unit=None)
