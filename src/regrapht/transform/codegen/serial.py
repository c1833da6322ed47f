"""Nests without parallelism, and statements outside all nests: one thread runs them."""

from regrapht.transform.codegen.isl_text import condition_text
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.writer import Launch, Writer
from regrapht.transform.plan.nest import ScalarCode


def write_serial(nest: NestWriter) -> list[str]:
    """Lines that launch a nest in a single thread."""
    body = [nest.nest.root]
    lines = nest.local_declarations()
    lines += nest.fragments(body).code(body, (), nest.geometry.universe, nest.printer())
    return nest.writer.kernel("serial", lines, nest.launch("1", (1,), condition=None))


def write_scalars(code: ScalarCode, writer: Writer) -> list[str]:
    """Lines that launch statements outside all nests."""
    lines = scalar_lines(code, writer)
    return writer.kernel("scalars", lines, Launch(grid="1", block="1")) if lines else []


def scalar_lines(code: ScalarCode, writer: Writer) -> list[str]:
    """Statements outside all nests, as one thread runs them; empty where they are declarations alone."""
    lines: list[str] = []
    for leaf in code.leaves:
        assert leaf.affine is not None
        body = writer.printer().at(leaf, {}).statements(leaf.statements)
        if not body:
            continue
        wanted = " and ".join(leaf.conditions) or "true"
        condition = condition_text(wanted, leaf.parameters, writer.names, wide=writer.wide_names)
        lines += [f"if ({condition}) {{", *body, "}"] if leaf.conditions else body
    return lines
