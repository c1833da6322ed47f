"""A reduction, a running value or a matrix product by the vendor's libraries, where the task allows them."""

from dataclasses import replace

from regrapht.transform.ir.scalar_types import is_float
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.products.matrices import product_of
from regrapht.transform.plan.scans import scan_of
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.rules.rule import Rule, Setting

COMBINES, MULTIPLIES = "cub", "cublas"
_BEFORE = {"map_to_threads", "launch_reduction", "kernel_fission", "kernel_fusion"}
"""Techniques that leave a nest as plain as it was."""


class LibraryCall(Rule):
    slug = "library_call"
    title = "handed to NVIDIA's libraries, products to cuBLAS, reductions and scans to CUB"
    condition = (
        "in a task that allows `cublas`, a product of two matrices or of a matrix and a vector in float or double: stored by rows or by "
        "columns, scaled, added to what the result held, or many of them evenly spaced; in a task that allows `cub`, a reduction of a "
        "whole nest to one value, or a running value, running sums of floats only where the task allows varying results"
    )
    explanation = (
        "The vendor's code is tuned for every architecture: cuBLAS multiplies in one call, with the transposes and leading dimensions that "
        "the subscripts say; CUB's device-wide reduction or scan combines what the iterations contribute, which an iterator computes where "
        "the library reads it, so that nothing is stored first."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule, contract = program.schedules.get(nest.number), program.task.contract
        allowed = {COMBINES, MULTIPLIES} & set(contract.allow_libraries)
        if not allowed:
            return f"the task does not allow {COMBINES} or {MULTIPLIES}"
        if schedule is None:
            return "it is not mapped to threads yet"
        if not contract.may_allocate:
            return "the task allows no scratch memory"
        if set(schedule.techniques) - _BEFORE:
            return "other techniques changed it already"
        if nest.kind is Kind.MAP:
            return self._against_product(program, nest)
        return self._against_combining(program, nest)

    @staticmethod
    def _against_product(program: Program, nest: Nest) -> str | None:
        found = product_of(nest, program.scop)
        if MULTIPLIES not in program.task.contract.allow_libraries:
            other = "" if isinstance(found, str) else f"; {MULTIPLIES} would take it, but the task does not allow it"
            return f"it is neither a reduction of the whole nest nor a running value{other}"
        return f"it is no product of matrices: {found}" if isinstance(found, str) else None

    @staticmethod
    def _against_combining(program: Program, nest: Nest) -> str | None:
        task = program.task
        if COMBINES not in task.contract.allow_libraries:
            return f"it is no product of matrices, and for anything else the task does not allow {COMBINES}"
        if nest.kind is Kind.REDUCE:
            return None if len(nest.targets) == 1 and not nest.copies else "it reduces to several values"
        scan = scan_of(nest, program.scop)
        if isinstance(scan, str):
            return f"it is neither a reduction of the whole nest nor a running value: {scan}"
        if scan.step < 0:
            return "its loop goes down"
        if len(scan.values) > 1:
            return "it has several running values"
        (value,) = scan.values
        if scan.stages[0].map is not None:
            return "what its turns hand on is more than a sum, product, minimum or maximum"
        if is_float(value.type) and value.operator in "+*" and task.tolerance.deterministic:
            return "CUB's scans of floats vary in their last bits, and the task asks for the same result every time"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        if nest.kind is Kind.MAP:
            tf32 = "tf32" in program.task.tolerance.allow
            return replace(program.schedules[nest.number], layout=Layout.LIBRARY, tf32=tf32)
        loops = tuple(reversed(nest.reduced)) if nest.kind is Kind.REDUCE else (nest.root.variable,)
        return Schedule(layout=Layout.LIBRARY, loops=loops)
