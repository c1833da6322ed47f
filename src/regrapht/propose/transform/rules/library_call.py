"""A reduction or a running value by the vendor's library, where the task allows it."""

from regrapht.propose.transform.frontend.scalar_types import is_float
from regrapht.propose.transform.nest import Kind, Nest
from regrapht.propose.transform.program import Program
from regrapht.propose.transform.rules.rule import Rule, Setting
from regrapht.propose.transform.scans import scan_of
from regrapht.propose.transform.schedule import Layout, Schedule

LIBRARY = "cub"


class LibraryCall(Rule):
    slug = "library_call"
    title = "combined by CUB"
    condition = (
        "a reduction of a whole nest to one value, or a running value, in a task that allows `cub`; running sums of floats only where "
        "the task allows varying results"
    )
    explanation = (
        "CUB's device-wide reduction or scan, tuned for every architecture, combines what the iterations contribute; an iterator computes "
        "that where the library reads it, so that nothing is stored first."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        schedule, task = program.schedules.get(nest.number), program.task
        if LIBRARY not in task.contract.allow_libraries:
            return f"the task does not allow {LIBRARY}"
        if schedule is None:
            return "it is not mapped to threads yet"
        if not task.contract.may_allocate:
            return "the task allows no scratch memory"
        if set(schedule.techniques) != {"map_to_threads"}:
            return "other techniques changed it already"
        if nest.kind is Kind.REDUCE:
            return None if len(nest.targets) == 1 else "it reduces to several values"
        scan = scan_of(nest, program.scop)
        if isinstance(scan, str):
            return f"it is neither a reduction of the whole nest nor a running value: {scan}"
        if is_float(scan.type) and scan.operator in "+*" and task.tolerance.deterministic:
            return "CUB's scans of floats vary in their last bits, and the task asks for the same result every time"
        return None

    def change(self, program: Program, nest: Nest, setting: Setting) -> Schedule:
        loops = tuple(reversed(nest.reduced)) if nest.kind is Kind.REDUCE else (nest.root.variable,)
        return Schedule(layout=Layout.LIBRARY, loops=loops)
