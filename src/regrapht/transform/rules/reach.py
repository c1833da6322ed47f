"""Questions that several rules ask of a nest: strides, footprints, reuse, loops that stay inside a thread."""

from regrapht.source.polynomial import names_in
from regrapht.transform.codegen.geometry import Ranges
from regrapht.transform.codegen.nest_writer import NestWriter
from regrapht.transform.codegen.program import counts_of
from regrapht.transform.codegen.tiles import Footprint, footprint
from regrapht.transform.codegen.writer import Writer
from regrapht.transform.ir.expressions import Element
from regrapht.transform.ir.scalar_types import size_bytes
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.plan.schedule import SHARED_BYTES, Layout, Reference, Schedule
from regrapht.transform.polyhedral.loop_tree import READ, Access, Leaf, Loop, all_loops, leaves, without_loops
from regrapht.transform.polyhedral.turns import widest


def not_mapped(program: Program, nest: Nest) -> str | None:
    """Why no rule for parallel points can apply: the nest runs in one thread, or a library computes it."""
    schedule = program.schedules.get(nest.number)
    if schedule is None:
        return "it is not mapped to threads yet"
    if nest.kind is Kind.SERIAL or schedule.layout is Layout.SERIAL:
        return f"it runs in one thread: {nest.why_serial}"
    if nest.kind is Kind.COPIES:
        return "each of its threads adds to copies of its own"
    return "a library computes it" if schedule.layout is Layout.LIBRARY else None


def not_a_map(program: Program, nest: Nest) -> str | None:
    """Why no rule for independent points can apply."""
    reason = not_mapped(program, nest)
    if reason is None and nest.kind is not Kind.MAP:
        reason = "its iterations meet in updates"
    return reason


def uses(access: Access, variable: str) -> list[int]:
    """The dimensions of an access whose index depends on a loop variable."""
    return [k for k, polynomial in enumerate(access.index or []) if variable in names_in(polynomial)]


def strides(nest: Nest, variable: str) -> tuple[int, int]:
    """How neighbouring threads along a loop would use memory: accesses that step by one element, and all others that move.

    A write counts twice.
    """
    good = bad = 0
    for access in nest.accesses:
        if not isinstance(access.expression, Element) or not access.index or variable not in access.leaf.dims:
            continue
        weight = 1 if access.kind == READ else 2
        where = uses(access, variable)
        if where == [len(access.index) - 1] and abs(access.index[-1].get((variable,), 0)) == 1:
            good += weight
        elif where:
            bad += weight
    return good, bad


def strides_of_text(nest: Nest, variable: str) -> tuple[int, int]:
    """As `strides`, along a loop that is text of a leaf. Elements that other elements choose count neither way."""
    good = bad = 0
    for access in nest.accesses:
        if access.inside is None or variable not in access.inside.variables:
            continue
        weight = 1 if access.kind == READ else 2
        moving = [k for k, polynomial in enumerate(access.inside.subscripts) if variable in names_in(polynomial)]
        last = access.inside.subscripts[-1]
        if moving == [len(access.inside.subscripts) - 1] and abs(last.get((variable,), 0)) == 1:
            good += weight
        elif moving:
            bad += weight
    return good, bad


def stride_score(nest: Nest, variable: str) -> int:
    """Accesses of `strides` that speak for a loop, less those against it."""
    good, bad = strides(nest, variable)
    return good - bad


def sequential_loops(nest: Nest, schedule: Schedule) -> list[Loop]:
    """Loops that stay inside a thread."""
    return list(all_loops(without_loops(nest.root, schedule.loops)))


def probe(program: Program, nest: Nest, schedule: Schedule) -> NestWriter:
    """A writer for questions only: its text is thrown away."""
    return NestWriter(Writer(program.scop, extents=counts_of(program.task, program.scop)), nest, schedule)


def footprint_of(program: Program, nest: Nest, schedule: Schedule, reference: Reference) -> Footprint | str:
    """What a block reads of an array under a schedule, in one step where the schedule has one; a text where that is no box."""
    writer = probe(program, nest, schedule)
    group, ranges = _scope(nest, schedule)
    return footprint(writer.geometry, group, reference, ranges)


def _scope(nest: Nest, schedule: Schedule) -> tuple[list[Leaf], Ranges]:
    ranges = {v: (f"{v}_first", schedule.edge(v)) for v in schedule.loops}
    if schedule.step is None:
        return nest.group, ranges
    ranges[schedule.step.loop] = (f"{schedule.step.loop}_first", schedule.step.size)
    node = next(
        n for n in without_loops(nest.root, schedule.loops) if isinstance(n, Loop) and n.variable == schedule.step.loop
    )
    return leaves(node), ranges


def shared_problem(program: Program, nest: Nest, schedule: Schedule) -> str | None:
    """Why the tiles of a schedule do not work: no box, or too large; None when they do."""
    total = 0
    for reference in schedule.shared:
        found = footprint_of(program, nest, schedule, reference)
        if isinstance(found, str):
            return found
        cells = found.count
        if len(found.sizes) > 1:
            cells = cells // found.sizes[-1] * (found.sizes[-1] + schedule.padding)
        total += cells * size_bytes(program.scop.element_type(reference.array))
    return (
        None if total <= SHARED_BYTES else f"its tiles need {total} bytes of shared memory, a block has {SHARED_BYTES}"
    )


def trip_count(writer: NestWriter, variable: str) -> int | None:
    """The constant number of iterations of a loop; None when it varies."""
    width = widest(writer.geometry.values(variable))
    return None if width is None else width + 1
