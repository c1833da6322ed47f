"""How well the blocks of a schedule would fill a device at the sizes that the task is timed at: what settings of a rule are ordered by.

A launch takes as long as the processor with the most blocks. Of 150 equal blocks on 132 processors some get two, and the others wait.
"""

from math import ceil, prod

from regrapht.records.task import ArgKind
from regrapht.transform.codegen.geometry import Geometry
from regrapht.transform.ir.names import internal_name
from regrapht.transform.plan.analysis import Program
from regrapht.transform.plan.nest import Nest
from regrapht.transform.plan.schedule import Layout, Schedule
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.rules.reach import probe

PROCESSORS = 132
"""Multiprocessors of an H100 or H200 with all that it is sold with."""
RESIDENT_THREADS = 2048
"""Threads that a multiprocessor of compute capability 9.0 holds."""
BYTES_IN_FLIGHT = 3 << 20
"""What must be under way to keep the memory of an H200 busy: 4.8 TB/s times about 0.7 us from a load's issue to its data."""
SMALLEST_STEP = 0.1
"""Differences below this are not worth another order."""


def blocks_of(program: Program, nest: Nest, schedule: Schedule) -> int | None:
    """The number of blocks at the task's last timed size; None where it says none, or the number does not follow from the sizes."""
    counts = [count_at_timed_size(program, nest, schedule, variable) for variable in schedule.loops]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts) or not known or min(known) < 1:
        return None
    if schedule.layout is Layout.GRID:
        return prod(ceil(n / schedule.edge(v)) for n, v in zip(known, schedule.loops, strict=True))
    blocks = ceil(prod(known) / (schedule.threads * prod(schedule.coarsening.values()) * max(schedule.vector, 1)))
    return min(blocks, schedule.grid_stride or blocks)


def imbalance(program: Program, nest: Nest, schedule: Schedule) -> float:
    """The turns that the busiest processor takes, over those that it would if blocks could be shared out evenly: 1 or more.

    In steps of 0.1; 1 where the number of blocks is not known, and where the threads of a few blocks stride over all points.
    """
    blocks = blocks_of(program, nest, schedule)
    if blocks is None or schedule.grid_stride:
        return 1.0
    even = blocks / PROCESSORS
    return max(1.0, round(ceil(even) / even / SMALLEST_STEP) * SMALLEST_STEP)


def threads_at_once(program: Program, nest: Nest, schedule: Schedule) -> int | None:
    """Points of a nest that threads of the device are at work on together at the timed sizes; None where that is not known."""
    counts = [count_at_timed_size(program, nest, schedule, variable) for variable in schedule.loops]
    known = [count for count in counts if count is not None]
    most = PROCESSORS * RESIDENT_THREADS
    if schedule.grid_stride:
        most = min(most, schedule.grid_stride * schedule.threads)
    return min(prod(known), most) if known and len(known) == len(counts) else None


def mean_turns(program: Program, nest: Nest, variable: str) -> float | None:
    """The turns that a loop whose bounds are data makes in a mean iteration of the parallel loops, at the last timed size.

    It goes through the elements of some array: as often, all in all, as that has elements. None where there is no such array.
    """
    if not program.task.bench_sizes:
        return None
    through = {
        access.array
        for access in nest.accesses
        if access.inside is not None
        and variable in access.inside.variables
        and any((variable,) in polynomial for polynomial in access.inside.subscripts)
    }
    sizes = program.task.bench_sizes[-1]
    arrays = [arg for arg in program.task.args if arg.kind is ArgKind.ARRAY and internal_name(arg.name) in through]
    schedule = program.schedules[nest.number]
    points = [count_at_timed_size(program, nest, schedule, loop) for loop in nest.parallel]
    known = [count for count in points if count is not None]
    if not arrays or len(known) < len(points) or min(known) < 1:
        return None
    return min(arg.element_count(sizes) for arg in arrays) / prod(known)


def count_at_timed_size(program: Program, nest: Nest, schedule: Schedule, variable: str) -> int | None:
    """The number of values of a loop variable at the last size that the task is timed at; None where that does not say it."""
    if not program.task.bench_sizes:
        return None
    geometry = probe(program, nest, schedule).geometry
    values = geometry.values(variable).intersect_params(_sizes(program, geometry))
    low, high = values.dim_min_val(0), values.dim_max_val(0)
    return int(high.sub(low).to_python()) + 1 if low.is_int() and high.is_int() else None


def _sizes(program: Program, geometry: Geometry) -> object:
    """The timed sizes as a set of isl's parameters."""
    sizes = {internal_name(name): value for name, value in program.task.bench_sizes[-1].items()}
    texts = [f"{name} = {value}" for name, value in sizes.items() if name in program.scop.symbols.parameters]
    for name, text in program.scop.symbols.products.items():
        factors = [part.strip() for part in text.strip("()").split("*")]
        if all(factor in sizes for factor in factors):
            texts.append(f"{name} = {prod(sizes[factor] for factor in factors)}")
    return isl().Set(f"[{geometry.parameters()}] -> {{ : {' and '.join(texts) or 'true'} }}")
