"""Statements outside of all nests that the kernel which finishes a reduction runs as well: each saves a launch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from regrapht.transform.plan.nest import Kind, Nest, PlanItem, ScalarCode
from regrapht.transform.plan.schedule import Combine, Finish, Layout, Schedule
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, Access


@dataclass(frozen=True, slots=True)
class Finished:
    """A reduction, with the statements directly before and after it that its finishing kernel runs."""

    nest: Nest
    before: ScalarCode | None
    after: ScalarCode | None = None


def with_neighbours(items: Sequence[PlanItem], schedules: Mapping[int, Schedule]) -> list[PlanItem | Finished]:
    """A sequence of a plan in which reductions have taken in the statements beside them, where that is legal.

    What comes after a reduction always may: the kernel that finishes it is its last.
    """
    found: list[PlanItem | Finished] = []
    for item in items:
        last = found[-1] if found else None
        if isinstance(item, ScalarCode) and isinstance(last, Finished):
            found[-1] = replace(last, after=item)
        elif isinstance(item, Nest) and _has_finishing_kernel(item, schedules[item.number]):
            before = last if isinstance(last, ScalarCode) and _may_wait(last, item) else None
            if before is not None:
                found.pop()
            found.append(Finished(item, before))
        else:
            found.append(item)
    return found


def _has_finishing_kernel(nest: Nest, schedule: Schedule) -> bool:
    """Whether a kernel of ours finishes the nest. The plain mapping, which programs are compared with, keeps its kernels apart."""
    if nest.kind is not Kind.REDUCE or nest.copies or schedule.layout is not Layout.LINEAR:
        return False  # several threads finish an array: they would have to wait for what one runs before
    is_plain = schedule.combine is Combine.NONE and schedule.finish is Finish.THREAD
    return schedule.finish is not Finish.ATOMIC and not is_plain


def _may_wait(code: ScalarCode, nest: Nest) -> bool:
    """Whether statements before a reduction may run once its parts are made: neither of the two writes what the other touches."""
    own = [access for leaf in code.leaves for access in leaf.accesses]
    parts = [access for access in nest.accesses if not _is_of_the_finish(access, nest)]
    return not (_written(own) & _touched(parts) or _written(parts) & _touched(own))


def _is_of_the_finish(access: Access, nest: Nest) -> bool:
    """Whether the access is an update that goes to a thread's part, so that the place itself is left to the finishing kernel."""
    return access.kind == UPDATE and nest.target_places.get(access.array) == access.expression


def _touched(accesses: Sequence[Access]) -> set[str]:
    return {access.array for access in accesses}


def _written(accesses: Sequence[Access]) -> set[str]:
    return {access.array for access in accesses if access.kind != READ}
