"""The part of a prompt that says what is to be written: signature, parameters, meaning and rules. It is never cut."""

from regrapht.errors import ConfigError
from regrapht.prompts.facts import facts
from regrapht.prompts.fences import fenced
from regrapht.prompts.inline import inline
from regrapht.prompts.templates import fill
from regrapht.records.element import StructType
from regrapht.records.task import Arg, ArgKind, Compare, Residency, Role, Rounding, Task

_ROLE = {
    Role.IN: "read only",
    Role.OUT: "written, its contents before the call mean nothing",
    Role.INOUT: "read and written in place",
}


def task_text(task: Task, *, show_reference: bool, show_facts: bool = True) -> str:
    """The task as Markdown.

    Args:
        show_reference: False hides the sequential code.
        show_facts: False leaves out what is known of sizes, values and memory, where the room is short.

    Raises:
        ConfigError: The reference is hidden and the task has no description, so nothing would say what to compute.
    """
    if not show_reference and not task.description.strip():
        raise ConfigError(
            f"task {task.id} has no description, so hiding its reference leaves nothing to work from; "
            "write a description in task.toml, or show the reference"
        )
    description = task.description.strip()
    return fill(
        "task",
        {
            "title": inline(task.title or task.id),
            "signature": fenced(task.signature + ";", "cuda"),
            "parameters": "\n".join(_parameter(arg) for arg in task.parameters),
            "description": fill("description", {"text": fenced(description, "text")}) if description else "",
            "reference": fill("reference", {"code": fenced(task.reference.source.text, "cpp")})
            if show_reference
            else "",
            "facts": fill("facts", {"facts": "\n".join(f"- {fact}" for fact in facts(task))}) if show_facts else "",
            "rules": "\n".join(f"- {rule}" for rule in _rules(task)),
        },
    )


def _parameter(arg: Arg) -> str:
    if arg.kind is ArgKind.SIZE:
        return f"- `{arg.name}`: a size, at least 1"
    if arg.kind is ArgKind.SCALAR:
        return f"- `{arg.name}`: a {arg.dtype.name} value"
    shape = " x ".join(f"({dimension.text})" if " " in dimension.text else dimension.text for dimension in arg.shape)
    layout = ", row-major" if len(arg.shape) > 1 else ""
    struct = f", a struct {arg.dtype.name} that your file defines as `{arg.dtype.c_name}`" if _is_struct(arg) else ""
    role = _ROLE[arg.role] if arg.role is not None else ""
    return f"- `{arg.name}`: array of {inline(shape)} elements{layout}{struct}; {role}"


def _is_struct(arg: Arg) -> bool:
    return isinstance(arg.dtype, StructType)


def _rules(task: Task) -> list[str]:
    rules = ["Include what you use, such as `<cuda_runtime.h>`."]
    if task.contract.residency is Residency.DEVICE:
        rules.append(
            "It is a host function. Array pointers point to device memory: pass them to kernels, never read or write them on the host, "
            "copy nothing between host and device."
        )
    else:
        rules.append(
            "It is a host function. Array pointers point to host memory: allocate device memory, copy inputs in, launch kernels, copy "
            "outputs back, free the memory. All of this counts as time."
        )
    rules.append(
        f'Define it as `extern "C"` with exactly this signature; it computes every size and launches every kernel for `{task.entry}`.'
    )
    rules.append("Launch on the default stream. All work must be finished or enqueued there when the function returns.")
    rules.append(
        "It must be right for every size, small ones such as 1 and ones that are no multiple of the block included."
    )
    if task.contract.residency is Residency.DEVICE:
        rules.append(_scratch(task))
    if task.contract.allow_libraries:
        rules.append(f"Of libraries, only {', '.join(task.contract.allow_libraries)} may be used.")
    else:
        rules.append("Use no library: the kernels must be your own.")
    rules.append(_precision(task))
    rules.append("No printing, no files, no host threads, no `main`, and no computing of the result on the host.")
    return rules


def _scratch(task: Task) -> str:
    if not task.contract.may_allocate:
        return "Do not allocate device memory."
    return (
        "Scratch memory may be allocated with `cudaMallocAsync(&pointer, bytes, 0)` and freed with `cudaFreeAsync(pointer, 0)` "
        "after the last launch that uses it; its contents mean nothing at first."
    )


def _precision(task: Task) -> str:
    separate = " It is compiled with -fmad=false." if task.contract.rounding is Rounding.SEPARATE else ""
    if task.tolerance.kind is Compare.FLOAT:
        text = "Results may differ from the sequential code by rounding only; sums may be reordered"
        if task.tolerance.deterministic:
            text += ", but two runs must give the same bits (no atomic additions of floating-point numbers)"
        if task.tolerance.allow:
            text += f"; reduced precision is allowed: {', '.join(sorted(task.tolerance.allow))}"
        return f"{text}.{separate}"
    return f"Results must equal those of the sequential code exactly.{separate}"
