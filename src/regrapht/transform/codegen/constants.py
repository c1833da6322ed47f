"""Small arrays that all threads read at the same places, copied to constant memory before the kernel."""

from collections.abc import Callable
from dataclasses import replace

from regrapht.transform.codegen.geometry import operand
from regrapht.transform.codegen.nest_writer import NestWriter, constant_name
from regrapht.transform.ir.scalar_types import size_bytes

ARRAY_BYTES = 8192
"""Constant memory for an array whose length is only known at run time."""


def constant_bytes(count: str, type_name: str) -> int:
    """Bytes of constant memory that an array takes, given the C text of its element count."""
    return int(count) * size_bytes(type_name) if count.isdigit() else ARRAY_BYTES


def write_with_constants(nest: NestWriter, write: Callable[[NestWriter], list[str]]) -> list[str]:
    """Lines that copy the arrays and launch the nest; where they turn out too long, the launcher takes the plain kernel."""
    writer, conditions, copies = nest.writer, [], []
    for array in nest.schedule.constant:
        type_name, count = writer.scop.element_type(array), operand(writer.extents[array])
        size = size_bytes(type_name)
        most = constant_bytes(writer.extents[array], type_name) // size
        name = constant_name(writer, array)
        writer.constants[name] = f"__constant__ {type_name} {name}[{most}];"
        if not writer.extents[array].isdigit():
            conditions.append(f"{count} <= {most}")
        bytes_ = f"{count} * sizeof({type_name})"
        copies.append(f"cudaMemcpyToSymbolAsync({name}, {array}, {bytes_}, 0, cudaMemcpyDeviceToDevice);")
    lines = [*copies, *write(nest)]
    if not conditions:
        return lines
    plain = write(replace(nest, schedule=replace(nest.schedule, constant=())))
    return [f"if ({' && '.join(conditions)}) {{", *lines, "} else {", *plain, "}"]
