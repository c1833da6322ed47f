"""The entry's head: `extern "C"`, `void`, and the declared types in the declared order.

Small models leave out `extern "C"`, write `size_t` for `int`, forget `const`, or drop a parameter that they do not use.
"""

from regrapht.propose.form.program import Edit, Program, head_start, is_host
from regrapht.records.task import Arg, ArgKind, Task
from regrapht.source.functions import FunctionDefinition, Parameter

_SAME = {
    "signed char": {"int8_t", "char"},
    "unsigned char": {"uint8_t", "char"},
    "short": {"int16_t"},
    "unsigned short": {"uint16_t"},
    "int": {"int32_t", "signed int", "signed"},
    "unsigned int": {"uint32_t", "unsigned"},
    "long long": {"int64_t", "long", "long int", "long long int", "ptrdiff_t"},
    "unsigned long long": {"uint64_t", "unsigned long", "size_t", "unsigned long int"},
    "__half": {"half"},
    "__nv_bfloat16": {"nv_bfloat16"},
}
"""Other spellings of a declared element type that are the same numbers to a candidate."""
_WIDE = ("long long", "unsigned long long")


def with_the_exact_signature(program: Program) -> str | None:
    """The text whose entry is declared as the task says; None where it is, or where the parameters are other ones."""
    meant = [one for one in program.entries if is_host(one) and not one.is_template]
    if len(meant) != 1:
        return None
    entry, task = meant[0], program.task
    start = head_start(entry)
    head = program.text.encode("utf-8", "replace")[start : entry.body.start_byte].decode("utf-8", "replace")
    if head.lstrip().startswith('extern "C"') and entry.return_type == "void" and _is_declared(entry, task):
        return None
    parts = declared_names(entry, task)
    if parts is None:
        return None
    head, unpacked = _head(task, entry, parts)
    opening = entry.body.start_byte + 1
    return program.edited([Edit(start, entry.body.start_byte, f"{head} "), Edit(opening, opening, unpacked)])


def _is_declared(entry: FunctionDefinition, task: Task) -> bool:
    """Whether the parameters have the declared types, whatever their names and spelling."""
    own, wanted = entry.parameters, task.parameters
    return (
        len(own) == len(wanted)
        and all(
            _fits(one, arg) and (not one.pointer_depth or one.is_const != arg.is_output) and _is_same_number(one, arg)
            for one, arg in zip(own, wanted, strict=True)
        )
        and len({_is_as_declared(one, arg) for one, arg in zip(own, wanted, strict=True) if arg.dtype.c_name in _WIDE})
        < 2
    )


def _is_as_declared(own: Parameter, arg: Arg) -> bool:
    """Whether 64 bits are spelled as the task does, and not as `int64_t` is on Linux: an entry is called with all of them one way."""
    return _bare(own.type_text).removesuffix(" int") == arg.dtype.c_name


def _is_same_number(own: Parameter, arg: Arg) -> bool:
    return bool(own.pointer_depth) or (not own.is_reference and _is_type(own.type_text, arg.dtype.c_name))


def _is_type(written: str, c_name: str) -> bool:
    return _bare(written) == c_name or _bare(written) in _SAME.get(c_name, ())


def _bare(written: str) -> str:
    return written.removeprefix("std::").removeprefix("struct ")


def declared_names(entry: FunctionDefinition, task: Task) -> list[str] | None:
    """The names that the entry's body uses for the task's parameters, in their order; None where they are not the same parameters."""
    own = entry.parameters
    wanted = [arg.name for arg in task.parameters]
    if {parameter.name for parameter in own} <= set(wanted) and all(
        _fits(parameter, task.parameters[wanted.index(parameter.name)]) for parameter in own
    ):
        return wanted
    fits = len(own) == len(wanted) and all(map(_fits, own, task.parameters))
    if not fits or len({parameter.name for parameter in own}) != len(own):
        return None
    return [parameter.name or arg.name for parameter, arg in zip(own, task.parameters, strict=True)]


def _fits(own: Parameter, arg: Arg) -> bool:
    """Whether a parameter of the model's can be the task's: a pointer to its elements, or a number."""
    if arg.kind is not ArgKind.ARRAY:
        return own.pointer_depth == 0 and (own.is_const or not own.is_reference)
    if own.pointer_depth != 1 or own.is_reference:
        return False
    return _is_type(own.type_text, arg.dtype.c_name)


def _head(task: Task, entry: FunctionDefinition, names: list[str]) -> tuple[str, str]:
    """The declared head with the body's names, and what stands first in the body: pointers that the model takes as writable.

    The declared type of an input is const; that of the model's kernel may not be, and writes are the judge's to find.
    """
    own = {parameter.name: parameter for parameter in entry.parameters}
    parts, unpacked = [], []
    for name, arg in zip(names, task.parameters, strict=True):
        parameter, c_name = own.get(name), arg.dtype.c_name
        if arg.kind is not ArgKind.ARRAY:
            parts.append(f"{c_name} {name}")
            continue
        const = "const " if not arg.is_output else ""
        if const and parameter is not None and not parameter.is_const:
            unpacked.append(f"\n    {c_name}* {name} = const_cast<{c_name}*>({name}_given);")
            name = f"{name}_given"
        parts.append(f"{const}{c_name}* {name}")
    return f'extern "C" void {task.entry}({", ".join(parts)})', "".join(unpacked)
