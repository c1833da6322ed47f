"""Comparing the translated references with the modules themselves, run by torch: the proof that a translation is right.

The checkout's files are executed here, in this process, as a Python reference of a task is: they are the user's own, trusted. The compiled
reference runs in the sandbox. Needs the extra `torch`.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from regrapht.bench.importers.symbolic import plain_name
from regrapht.errors import PrerequisiteMissing
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.evaluate.reference.expected import ReferenceFailed
from regrapht.records.task import ArgKind, Role, Sizes, Task
from regrapht.sandbox.sandbox import Sandbox

_SECRET = 1  # nobody is to be kept from these draws
_RTOL, _ATOL = 1e-3, 1e-4
"""Of the largest magnitude: float32 in another order of summation, never another function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of one task."""

    task_id: str
    shapes: int
    """Check shapes at which both agree."""
    why_not: str
    """Empty when they agree at every check shape."""


def require_torch() -> Any:
    """The module torch.

    Raises:
        PrerequisiteMissing: It is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise PrerequisiteMissing(
            "--verify runs the modules themselves, which needs PyTorch: pip install 'regrapht[torch]'; without --verify nothing does"
        ) from error
    return torch


def compare_with_module(task: Task, file: Path, sandbox: Sandbox) -> Compared:
    """Run the reference of `task` and the module of `file` on the same draws at every check shape.

    Raises:
        PrerequisiteMissing: torch is not installed.
        InvalidTask: The reference does not compile.
    """
    torch = require_torch()
    reference = CompiledReference(task, sandbox)
    agreed = 0
    for index, sizes in enumerate(task.check_sizes):
        inputs = draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=_SECRET, index=index)
        try:
            ours = reference.written([inputs])[0]["out"]
            theirs = _run_module(torch, task, file, sizes, inputs)
        except (ReferenceFailed, _ModuleFailed) as failed:
            return Compared(task_id=task.id, shapes=agreed, why_not=f"at {dict(sizes)}: {failed}")
        if theirs.size != ours.size:
            return Compared(
                task_id=task.id, shapes=agreed, why_not=f"at {dict(sizes)}: {theirs.size} elements, not {ours.size}"
            )
        a, b = ours.astype(np.float64).reshape(-1), theirs.astype(np.float64).reshape(-1)
        bar = _ATOL + _RTOL * max(1e-3, float(np.max(np.abs(b), initial=0.0)))
        apart = float(np.max(np.abs(a - b), initial=0.0))
        if not apart <= bar:  # so that a NaN is a difference
            return Compared(task_id=task.id, shapes=agreed, why_not=f"at {dict(sizes)}: apart by {apart:.3g}")
        agreed += 1
    return Compared(task_id=task.id, shapes=agreed, why_not="")


class _ModuleFailed(Exception):
    """The module could not be run."""


def _run_module(torch: Any, task: Task, file: Path, sizes: Sizes, inputs: Inputs) -> Any:
    """The module's output on these inputs, at these sizes."""
    scope = _namespace(file, sizes)
    arrays = {
        arg.name: torch.from_numpy(inputs.arrays[arg.name].reshape(arg.dimensions(sizes)).copy())
        for arg in task.args
        if arg.kind is ArgKind.ARRAY and arg.role is Role.IN
    }
    numbers = {arg.name: _number(task, inputs, arg.name) for arg in task.args if arg.kind is ArgKind.SCALAR}
    try:
        model = scope["Model"](*scope["get_init_inputs"]())
        with torch.no_grad():
            state = model.state_dict()
            for name in state:
                if (given := arrays.pop(name.replace(".", "_"), None)) is not None:
                    state[name].copy_(given)
            given = {**arrays, **numbers}
            names = model.forward.__code__.co_varnames[1 : model.forward.__code__.co_argcount]
            values = [
                _as_drawn(torch, file, name, given[plain_name(name)]) for name in names if plain_name(name) in given
            ]
            return model(*values).numpy()
    except Exception as error:  # whatever a module of the checkout raises
        raise _ModuleFailed(f"the module raises {type(error).__name__}: {error}"[:300]) from error


def _namespace(file: Path, sizes: Mapping[str, int]) -> dict[str, Any]:
    """The file executed, its constants set to `sizes`; those of a tuple are called NAME_0, NAME_1."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if plain_name(name) in sizes:
                node.value = ast.Constant(sizes[plain_name(name)])
            elif isinstance(node.value, ast.Tuple):
                node.value.elts = _resized(name, node.value.elts, sizes)
    scope: dict[str, Any] = {"__name__": "kernelbench_problem"}
    exec(compile(ast.fix_missing_locations(tree), str(file), "exec"), scope)
    return scope


def _resized(name: str, parts: Sequence[ast.expr], sizes: Mapping[str, int]) -> list[ast.expr]:
    return [ast.Constant(sizes[f"{name}_{i}"]) if f"{name}_{i}" in sizes else part for i, part in enumerate(parts)]


def _number(task: Task, inputs: Inputs, name: str) -> float:
    return float(np.frombuffer(inputs.values[name], np.float32)[0])


def _as_drawn(torch: Any, file: Path, name: str, value: Any) -> Any:
    """An input as `get_inputs` would hand it over: triangular, of bools, of 64-bit indices."""
    if not hasattr(value, "dtype"):
        return value
    if value.dtype == torch.uint8:
        return value.bool()
    if value.dtype == torch.int32:
        return value.long()
    text = file.read_text(encoding="utf-8")
    for half in ("triu", "tril"):
        drawn = text.partition("def get_inputs")[2]
        if f"torch.{half}(" in drawn:
            return getattr(torch, half)(value)
    return value
