"""Small arrays that data choose elements of, copied to shared memory by each block before its threads stride over their points."""

from dataclasses import replace

from regrapht.transform.codegen.linear import points_of, strided, write_linear
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.scatter import (
    Cells,
    by_length,
    bytes_of_copies,
    copies_fit,
    declared_copies,
    each_of_block,
)


def write_with_tables(nest: NestWriter) -> list[str]:
    """Lines that launch the nest; where its tables turn out too long, the launcher takes a kernel without copies."""
    writer = nest.writer
    types = {name: writer.scop.element_type(name) for name in nest.schedule.tables}
    sizes = bytes_of_copies(nest, {name: Cells(name=name, type=type_) for name, type_ in types.items()})
    copies = {name: Cells(name=writer.fresh(f"{name}_block"), type=type_) for name, type_ in types.items()}
    lines, at = declared_copies(nest, copies), writer.fresh("entry")
    for extent, names in by_length(nest, copies).items():
        lines.append(each_of_block(nest, extent, at))
        lines += [*(f"{copies[name].name}[{at}] = {name}[{at}];" for name in names), "}"]
    printer = nest.printer()
    renamed = {**printer.renamed, **{name: copy.name for name, copy in copies.items()}}
    points = points_of(nest)
    lines += ["__syncthreads();", *strided(nest, points, replace(printer, renamed=renamed))]
    grid = points.blocks_at_most(nest.schedule.threads, nest.schedule.grid_stride)
    launch = nest.launch(grid, nest.schedule.block, shared_bytes=" + ".join(sizes.values()))
    plain = write_linear(NestWriter(writer, nest.nest, replace(nest.schedule, tables=())))
    return [f"if ({copies_fit(sizes)}) {{", *writer.kernel("lookup", lines, launch), "} else {", *plain, "}"]
