"""Loop versioning: a function with threads where a condition on its parameters or offsets holds, and as it was where it does not.

Rows `c[i * ldc + j]` may overlap where ldc is less than their length; nobody says that it is not, and so their order counts, unless the
program tests it when it runs. This file decides for which loops a test is made: each one without independent iterations is tried under the
conditions that isl finds for it, and those that make its iterations independent are kept. Where none does, offsets in memory are asked to
rise (`polyhedral/rising_offsets.py`). A loop that has threads already, or around such loops, stays as it is.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from regrapht.errors import CannotTransform
from regrapht.records.task import Task
from regrapht.transform.ir.names import internal_name
from regrapht.transform.plan.analysis import Analysis, Guard, analyse_function, scop_of, sizes_of
from regrapht.transform.plan.nest import HostLoop, Kind, Nest, PlanItem
from regrapht.transform.plan.timed_values import given_values
from regrapht.transform.polyhedral.assumptions import affine_text
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import Key, Loop, all_loops, loop_key
from regrapht.transform.polyhedral.rising_offsets import is_bounded, may_be_read, rising_wanted, segments_of
from regrapht.transform.polyhedral.run_time_conditions import RootConditions
from regrapht.transform.polyhedral.scop import Scop

Under = Callable[[Guard | None], Analysis]


def under_guard(analyse: Under) -> Analysis:
    """The analysis of a function, under a guard where one gives threads to a loop that has none without.

    `analyse` analyses the function under a guard's conditions, or as it is.

    Raises:
        CannotTransform: The engine cannot take the function.
    """
    plain = analyse(None)
    best, guard = plain, Guard(())
    for loop, host_loops in list(_without_threads(plain.plan)):
        key = loop_key(loop)
        if not _items(best.plan, key):
            continue  # it is inside of a nest by now
        found = _Trial(analyse, guard, plain, key, host_loops).found(best)
        if found is not None:
            item = _item(plain.plan, key)
            scattered = isinstance(item, Nest) and item.kind is Kind.SCATTER
            guard = replace(found[0], loops=guard.loops if scattered else (*guard.loops, key))
            best = found[1]
    if guard.is_empty:
        return plain
    tested = _not_implied(guard, scop_of(plain.task, plain.function, Guard((), guard.products)))
    otherwise = analyse_function(plain.task, plain.function, one_thread=guard.loops)
    guard = replace(guard, otherwise=otherwise, tested=tested)
    return replace(best, guard=guard)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The search for conditions that give threads to one loop."""

    analyse: Under
    guard: Guard
    before: Analysis
    """Without any guard."""
    key: Key
    host_loops: tuple[str, ...]

    def found(self, present: Analysis) -> tuple[Guard, Analysis] | None:
        """The guard with what the loop needs, and the analysis under it; None where nothing helps.

        `present` is the analysis under the guard as it is.
        """
        if self._rank(present) > self._rank(self.before):
            return self._with_reads(self.guard, present)
        return self._under(self.guard) or self._with_offsets()

    def _with_offsets(self) -> tuple[Guard, Analysis] | None:
        """As `found`, where offsets rise; None where that does not help either."""
        wanted = self._offsets()
        if not wanted:
            return None
        guard = replace(self.guard, rising=(*self.guard.rising, *wanted))
        alone = self._gains(guard)
        found = self._with_reads(guard, alone) if alone is not None else self._under(guard)
        if found is None:
            return None
        guard, best = found
        for name in wanted if len(wanted) > 1 else ():
            fewer = replace(guard, rising=tuple(one for one in guard.rising if one != name))
            without = self._gains(fewer)
            if without is not None and self._rank(without) >= self._rank(best):
                guard, best = fewer, without
        return guard, best

    def _offsets(self) -> list[str]:
        """Arrays of offsets that the program could test, and that the loop's segments lie between."""
        item, task = _item(self.before.plan, self.key), self.before.task
        probe = self._conditions(self.guard)
        if probe is None or not task.contract.may_allocate or (isinstance(item, Nest) and item.kind is Kind.SCATTER):
            return []
        wanted = rising_wanted(probe.scop, probe.group)
        return [name for name in wanted if name not in self.guard.rising and can_be_tested(probe.scop, task, name)]

    def _under(self, given: Guard) -> tuple[Guard, Analysis] | None:
        """The guard with conditions on parameters that the loop needs besides, and the analysis under it."""
        probe = self._conditions(given)
        if probe is None:
            return None
        shapes = probe.of_shapes(read_only=False)
        guard = given.also(shapes, probe.scop.symbols.products)
        found = self._gains(guard) if shapes else None
        if found is None:
            probe = self._conditions(guard) if shapes else probe
            order = None if probe is None else probe.of_order()
            if probe is None or order is None:
                return None
            guard = guard.also([order], probe.scop.symbols.products)
            found = self._gains(guard)
        if found is None:
            return None
        return self._with_reads(*self._with_least(guard, found))

    def _with_least(self, guard: Guard, found: Analysis) -> tuple[Guard, Analysis]:
        """Without conditions that the loop's threads do not need."""
        for condition in guard.conditions[len(self.guard.conditions) :]:
            fewer = replace(guard, conditions=tuple(one for one in guard.conditions if one is not condition))
            without = self._gains(fewer) if len(fewer.conditions) > len(self.guard.conditions) else None
            if without is not None and self._rank(without) >= self._rank(found):
                guard, found = fewer, without
        return guard, found

    def _with_reads(self, guard: Guard, found: Analysis) -> tuple[Guard, Analysis]:
        """With the conditions for arrays that are only read, where threads share their elements: tiles need to know their rows."""
        probe = self._conditions(guard)
        for condition in [] if probe is None else probe.of_shapes(read_only=True):
            assert probe is not None
            more = guard.also([condition], probe.scop.symbols.products)
            again = self._gains(more)
            if again is None or self._rank(again) < self._rank(found):
                continue
            if self._is_shared(more, again, condition.arrays[0]):
                guard, found = more, again
        return guard, found

    def _is_shared(self, guard: Guard, found: Analysis, array: str) -> bool:
        probe, nests = self._conditions(guard), [one for one in _items(found.plan, self.key) if isinstance(one, Nest)]
        return probe is not None and any(probe.shares(array, nest.parallel) for nest in nests)

    def _conditions(self, guard: Guard) -> RootConditions | None:
        """What can be asked for the loop where a guard's conditions are given; None where the function has it more than once."""
        scop = scop_of(self.before.task, self.before.function, guard)
        loops = [loop for loop in all_loops(scop.tree) if loop_key(loop) == self.key]
        return RootConditions(scop, loops[0], self.host_loops) if len(loops) == 1 else None

    def _gains(self, guard: Guard) -> Analysis | None:
        """The analysis under a guard, if the loop has more threads by it."""
        try:
            found = self.analyse(guard)
        except CannotTransform:
            return None
        if self._rank(found) <= self._rank(self.before):
            return None
        if not all(can_be_tested(found.scop, found.task, name) for name in guard.rising):
            return None  # the function has been changed on the way
        return found if holds_at_times(found.scop, found.task) else None

    def _rank(self, analysis: Analysis) -> tuple[int, int]:
        """How parallel a loop is: threads for its own iterations, for those of loops inside, for none."""
        items = _items(analysis.plan, self.key)
        if len(items) > 1 and all(isinstance(one, Nest) and one.kind is Kind.MAP for one in items):  # in parts
            return (3, max(len(one.parallel) for one in items if isinstance(one, Nest)))
        item = items[0] if len(items) == 1 else None
        if isinstance(item, HostLoop):
            inside = any(isinstance(one, Nest) and one.kind is not Kind.SERIAL for one in _all_items(item.body))
            return (int(inside), 0)
        if not isinstance(item, Nest) or item.kind is Kind.SERIAL:
            return (0, 0)
        return (2, 0) if item.kind is Kind.SCATTER else (3, len(item.parallel))


def _not_implied(guard: Guard, scop: Scop) -> tuple[str, ...]:
    """The conditions but for those that follow from the others and from what the task requires."""
    left = list(dict.fromkeys(guard.texts))
    for text in list(left):
        others = scop.required()
        for other in left:
            others = others if other == text else others.intersect(scop.parameter_set(other))
        if others.is_subset(scop.parameter_set(text)):
            left.remove(text)
    return tuple(left)


def can_be_tested(scop: Scop, task: Task, offsets: str) -> bool:
    """Whether the launcher may look at all offsets that bound segments, before everything else: it knows the range, and they are there."""
    sizes = sizes_of(task)
    shape = next((arg.shape for arg in task.args if internal_name(arg.name) == offsets), ())
    extent = affine_text(shape[0].text, sizes) if len(shape) == 1 else None
    return is_bounded(segments_of(scop, offsets)) and may_be_read(scop, offsets, extent)


def holds_at_times(scop: Scop, task: Task) -> bool:
    """Whether what is assumed of the parameters may hold at sizes that the task is timed at, or, where it names none, checked at."""
    integers, products = scop.symbols.parameters, scop.symbols.products
    for values in given_values(task):
        known = {name: value for name, value in values.items() if name in integers}
        for product in products:
            factors = [known.get(name) for name in product.split("__")]
            if None not in factors:
                known[product] = math.prod(value for value in factors if value is not None)
        texts = " and ".join(f"{name} = {value}" for name, value in known.items()) or "true"
        if not scop.possible().intersect(isl().Set(f"[{', '.join(known)}] -> {{ : {texts} }}")).is_empty():
            return True
    return False


def _all_items(items: Sequence[PlanItem]) -> Iterator[PlanItem]:
    for item in items:
        yield item
        if isinstance(item, HostLoop):
            yield from _all_items(item.body)


def _items(plan: Sequence[PlanItem], key: Key) -> list[PlanItem]:
    """The nests, and loops of the launcher, over this loop: several where it has been distributed over parts of its body."""
    found: list[PlanItem] = []
    for item in _all_items(plan):
        loop = item.root if isinstance(item, Nest) else item.loop if isinstance(item, HostLoop) else None
        if loop is not None and loop_key(loop) == key:
            found.append(item)
    return found


def _item(plan: Sequence[PlanItem], key: Key) -> PlanItem | None:
    """The only one of them."""
    found = _items(plan, key)
    return found[0] if len(found) == 1 else None


def _without_threads(
    plan: Sequence[PlanItem], host_loops: tuple[str, ...] = ()
) -> Iterator[tuple[Loop, tuple[str, ...]]]:
    """Loops without threads, or with such that meet in atomics or one sum, each with the launcher's loops around it; outermost first."""
    for item in plan:
        if isinstance(item, HostLoop):
            written = item.loop.launched is not None  # and so it stays
            if not written and not any(
                isinstance(one, Nest) and one.kind in (Kind.MAP, Kind.SCATTER) for one in _all_items(item.body)
            ):
                yield item.loop, host_loops
            yield from _without_threads(item.body, (*host_loops, item.loop.variable))
        elif isinstance(item, Nest) and item.kind in (Kind.SERIAL, Kind.SCATTER):
            yield item.root, host_loops
