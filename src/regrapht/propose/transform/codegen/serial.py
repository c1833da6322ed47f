"""Nests without parallelism, and statements outside all nests: one thread runs them."""

from regrapht.propose.transform.codegen.isl_text import expression_text
from regrapht.propose.transform.codegen.nest_writer import NestWriter
from regrapht.propose.transform.codegen.writer import Launch, Writer
from regrapht.propose.transform.isl_library import isl
from regrapht.propose.transform.nest import ScalarCode


def write_serial(nest: NestWriter) -> list[str]:
    """Lines that launch a nest in a single thread."""
    body = [nest.nest.root]
    lines = nest.local_declarations()
    lines += nest.fragments(body).code(body, (), nest.geometry.universe, nest.printer())
    return nest.writer.kernel("serial", lines, nest.launch("1", (1,), condition=None))


def write_scalars(code: ScalarCode, writer: Writer) -> list[str]:
    """Lines that launch the statements outside all nests."""
    lines: list[str] = []
    for leaf in code.leaves:
        assert leaf.affine is not None
        body = writer.printer().at(leaf, {}).statements(leaf.statements)
        if not body:
            continue
        lines += (
            [f"if ({_condition(leaf.conditions, leaf.parameters, writer)}) {{", *body, "}"] if leaf.conditions else body
        )
    return writer.kernel("scalars", lines, Launch(grid="1", block="1")) if lines else []


def _condition(conditions: list[str], parameters: str, writer: Writer) -> str:
    inside = isl().Set(f"[{parameters}] -> {{ : {' and '.join(conditions)} }}")
    return expression_text(isl().AstBuild.from_context(isl().Set("{ : }")).expr_from_set(inside), writer.names)
