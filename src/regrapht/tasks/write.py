"""A task as the text of its `task.toml`."""

import json
from collections.abc import Mapping

from regrapht.records.element import ElementType, StructType, member_keys
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Contract, Init, Sizes, Task
from regrapht.tasks.defaults import default_bytes, default_compare, default_reduction_length, with_exact_integers

HOME_FILE = "home.json"
"""Beside the `task.toml` of a function that was taken out of a project: where it stands there, and how it is called."""
_PLAIN_CONTRACT = Contract()


def task_toml(task: Task, *, comments: Mapping[str, str] | None = None) -> str:
    """The text that `load_task` reads back as the same task, given the files that it names.

    What equals the format's default is left out.

    Args:
        task: What to write.
        comments: Name of an argument -> a line of comment above it.
    """
    parts = [_head(task), _reference(task)]
    notes = comments or {}
    parts += [_argument(task, arg, notes.get(arg.name)) for arg in task.args]
    parts += [_sizes(task), _tolerance(task), _work(task), _contract(task), _baselines(task)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(task: Task) -> str:
    lines = ["schema = 1", _line("id", task.id)]
    if task.title != task.id:
        lines.append(_line("title", task.title))
    if task.description:
        lines.append(_line("description", task.description))
    lines.append(_line("entry", task.entry))
    named = {"family": task.family, "tier": task.tier, "licence": task.licence, "source": task.origin}
    lines += [_line(key, value) for key, value in named.items() if value is not None]
    if task.copies:
        lines.append(_line("copies", task.copies))
    return "\n".join(lines)


def _reference(task: Task) -> str:
    reference = task.reference
    lines = ["[reference]", _line("file", reference.source.name)]
    if reference.language != "c++17":
        lines.append(_line("language", reference.language))
    lists = {"include": reference.include, "defines": reference.defines, "flags": reference.flags}
    lines += [_line(key, values) for key, values in lists.items() if values]
    if task.home is not None:
        lines.append(_line("home", HOME_FILE))
    if reference.fast is not None:
        lines.append(_line("fast", reference.fast.name))
    return "\n".join(lines)


def _argument(task: Task, arg: Arg, comment: str | None) -> str:
    lines = [f"# {comment}"] if comment else []
    lines += ["[[args]]", _line("name", arg.name), _line("kind", arg.kind.value), f"dtype = {_dtype(arg.dtype)}"]
    if arg.kind is ArgKind.ARRAY:
        lines.append(_line("shape", [extent.text for extent in arg.shape]))
        lines.append(_line("role", arg.role.value if arg.role else ""))
    if arg.init is not None:
        lines.append(f"init = {_init(arg.init)}")
    if arg.value is not None:
        lines.append(_line("value", arg.value))
    if arg.domain is not None:
        lines.append(_line("domain", list(arg.domain)))
    given = with_exact_integers([arg], task.tolerance.kind)[0].compare
    if arg.compare is not None and not (
        arg.compare is Compare.EXACT and given is Compare.EXACT and _is_exact_by_default(task, arg)
    ):
        lines.append(_line("compare", arg.compare.value))
    numbers = {"rtol": arg.rtol, "atol": arg.atol}
    lines += [_line(key, number) for key, number in numbers.items() if number is not None]
    if arg.reduction_length is not None:
        lines.append(_line("reduction_length", arg.reduction_length.text))
    if arg.valid_length is not None:
        lines.append(_line("valid_length", arg.valid_length))
    return "\n".join(lines)


def _is_exact_by_default(task: Task, arg: Arg) -> bool:
    return task.tolerance.kind is Compare.FLOAT and not arg.dtype.is_float


def _sizes(task: Task) -> str:
    lines = ["[sizes]", _rows("check", task.check_sizes)]
    if task.bench_sizes:
        lines.append(_rows("bench", task.bench_sizes))
    if task.require:
        lines.append(_line("require", task.require))
    if not task.hidden_sizes:
        lines.append("hidden = false")
    return "\n".join(lines)


def _rows(key: str, rows: tuple[Sizes, ...]) -> str:
    texts = [
        "{ " + ", ".join(f"{name} = {value}" for name, value in row.items()) + " }" if row else "{}" for row in rows
    ]
    return f"{key} = [" + ", ".join(texts) + "]"


def _tolerance(task: Task) -> str:
    tolerance, lines = task.tolerance, []
    returns_float = task.returns is not None and task.returns.is_float
    if tolerance.kind is not default_compare(task.args, returns_float=returns_float):
        lines.append(_line("class", tolerance.kind.value))
    if tolerance.reduction_length != default_reduction_length(task.size_names):
        lines.append(_line("reduction_length", tolerance.reduction_length.text))
    numbers = {"rtol": tolerance.rtol, "atol": tolerance.atol}
    lines += [_line(key, number) for key, number in numbers.items() if number is not None]
    if not tolerance.deterministic:
        lines.append("deterministic = false")
    if tolerance.allow:
        lines.append(_line("allow", sorted(tolerance.allow)))
    return "\n".join(["[tolerance]", *lines]) if lines else ""


def _work(task: Task) -> str:
    lines = [_line("flops", task.work.flops.text)] if task.work.flops is not None else []
    if task.work.bytes != default_bytes(task.args, result_bytes=task.returns.size_bytes if task.returns else 0):
        lines.append(_line("bytes", task.work.bytes.text))
    return "\n".join(["[work]", *lines]) if lines else ""


def _contract(task: Task) -> str:
    lines = []
    if task.contract.residency is not _PLAIN_CONTRACT.residency:
        lines.append(_line("residency", task.contract.residency.value))
    if not task.contract.may_allocate:
        lines.append("may_allocate = false")
    if task.contract.allow_libraries:
        lines.append(_line("allow_libraries", task.contract.allow_libraries))
    if task.contract.rounding is not _PLAIN_CONTRACT.rounding:
        lines.append(_line("rounding", task.contract.rounding.value))
    return "\n".join(["[candidate]", *lines]) if lines else ""


def _baselines(task: Task) -> str:
    of_reference = task.reference.source if task.reference.source.suffix == ".cu" else None
    named = [b for b in task.baselines if not (b.name == "naive" and b.source == of_reference)]
    return "\n".join(["[baselines]", *(_line(b.name, b.source.name) for b in named)]) if named else ""


def _dtype(dtype: ElementType) -> str:
    if isinstance(dtype, StructType):
        return "{ " + ", ".join(f"{key} = {_value(scalar.name)}" for key, scalar in member_keys(dtype.fields)) + " }"
    return _value(dtype.name)


def _init(init: Init) -> str:
    pairs = {"kind": init.kind, **init.parameters}
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in pairs.items()) + " }"


def _line(key: str, value: object) -> str:
    return f"{key} = {_value(value)}"


def _value(value: object) -> str:
    """A TOML value. JSON's strings are TOML's, but for the one control character that TOML escapes and JSON does not."""
    if isinstance(value, Expression):
        value = value.text
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return repr(value)
