"""Shapes that the judge chooses itself: hidden ones, bench shapes for tasks that name none, and the one that evidence is modelled at.

Hidden sizes are 1, primes, and values just beside multiples of 4 and of common blocks: a kernel that is right for the listed shapes alone
fails. They are no larger than the largest checked value, and a size that is the same in every listed shape stays as it is: in every one
that is checked, or, where that is a single one, in every one that is timed as well. What else a size must satisfy (a multiple of 32, a
power of two, no more than another) is for the task's `require` to say: where the awkward values do not satisfy it, others are searched for
that do.

Evidence is modelled at a shape larger than the awkward little check shapes, where a launch's fixed cost hides everything else: sizes are
doubled from the largest check shape towards a bench shape while the emulator still answers in about a tenth of a second.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations

from regrapht.records.requirement import Requirement, satisfies
from regrapht.records.task import ArgKind, Sizes, Task
from regrapht.records.verdict import Evidence

_AWKWARD = (1, 2, 3, 5, 7, 9, 13, 15, 17, 31, 33, 61, 63, 65, 97, 127, 129, 251, 255, 257, 511, 513, 1021, 1025, 4093)
_FEW, _MOST = 6, 24
"""With fewer awkward values than the first, a size takes others too that its requirements allow, up to the second."""
_MOST_SCANNED, _MOST_MENDED = 2**16, 2**12
_MOST_OWN, _EVERYWHERE = 3, 4
_MOST_ALIKE, _TRIES_ALIKE = 3, 20
_MOST_LONE, _MOST_BLOCKS, _LEAST_BLOCK = 3, 2, 16
_MAX_BYTES = 2**20
"""Of a hidden shape, unless a listed one has more."""
_MOST_BYTES, _DOUBLINGS, _UNTIMED_BYTES = 2**30, 24, 2**23
"""Of a bench shape of the judge's own."""
_ENOUGH_INSTRUCTIONS = 18_000_000
"""Of threads, in one call of the plain program that evidence is modelled with: a few million checked accesses."""


def hidden_sizes(task: Task, *, count: int, rng: random.Random) -> list[Sizes]:
    """Up to `count` different shapes that satisfy the task's requirements; none where the task forbids them or has no sizes.

    Raises:
        ValueError: A requirement is no comparison.
    """
    if not task.hidden_sizes or not task.size_names:
        return []
    require = [Requirement(text) for text in task.require]
    choices = {name: _choices(task, name, require, rng) for name in task.size_names}
    if not all(choices.values()):
        return []
    listed = {tuple(sorted(sizes.items())) for sizes in (*task.check_sizes, *task.bench_sizes)}
    found: dict[tuple[tuple[str, int], ...], Sizes] = {}
    for attempt in range(50 * count):
        sizes = {name: rng.choice(values) for name, values in choices.items()}
        if attempt < 4 * count:  # a search each: enough of them for what chance does not find
            sizes = mended(task, sizes, require, rng)
        key = tuple(sorted(sizes.items()))
        if key not in listed and key not in found and all_hold(require, sizes) and _is_small(task, sizes):
            found[key] = sizes
        if len(found) == count:
            break
    return list(found.values())


def alike_sizes(task: Task, *, rng: random.Random) -> list[Sizes]:
    """Up to `_MOST_ALIKE` small shapes in which two sizes are the same number and all others are not: where a program takes one size for
    another, it may be right at shapes all of whose sizes differ, and where all are alike.

    Raises:
        ValueError: A requirement is no comparison.
    """
    free = [name for name in task.size_names if not is_constant(task, name)]
    if not task.hidden_sizes or len(free) < 2:
        return []
    require = [Requirement(text) for text in task.require]
    choices = {name: _choices(task, name, require, rng) for name in free}
    pairs = list(combinations(free, 2))
    found: list[Sizes] = []
    for pair in rng.sample(pairs, min(len(pairs), _MOST_ALIKE)):
        common = [value for value in choices[pair[0]] if value > 1 and value in choices[pair[1]]]
        for _ in range(_TRIES_ALIKE if common else 0):
            value = rng.choice(common)
            others = {name: rng.choice(choices[name]) for name in free if name not in pair}
            sizes = {**task.check_sizes[0], **others, **dict.fromkeys(pair, value)}
            listed = sizes in (*task.check_sizes, *task.bench_sizes, *found)
            if value not in others.values() and not listed and all_hold(require, sizes) and _is_small(task, sizes):
                found.append(sizes)
                break
    return found


def lone_sizes(task: Task, *, rng: random.Random) -> list[Sizes]:
    """Up to `_MOST_LONE` shapes in which one size is 1, or the least that is allowed, and all others are those of a listed shape: a row, a
    column, one bin, for which programs have ways of their own.

    Raises:
        ValueError: A requirement is no comparison.
    """
    free = [name for name in task.size_names if not is_constant(task, name)]
    if not task.hidden_sizes or len(free) < 2:
        return []
    require = [Requirement(text) for text in task.require]
    found: list[Sizes] = []
    for name in rng.sample(free, min(len(free), _MOST_LONE)):
        least = min(_choices(task, name, require, rng), default=0)
        shapes = [{**sizes, name: least} for sizes in reversed(task.check_sizes)]
        listed = (*task.check_sizes, *task.bench_sizes, *found)
        fits = (one for one in shapes if one not in listed and all_hold(require, one) and _is_small(task, one))
        found += [one for one in fits if least > 0 and all(one[other] > least for other in free if other != name)][:1]
    return found


def block_sizes(task: Task, numbers: Sequence[float], *, rng: random.Random) -> list[Sizes]:
    """A shape one beyond a block of the program's, a number of its text with many powers of two, in every size that may be as large: one
    block too few shows there alone.

    Raises:
        ValueError: A requirement is no comparison.
    """
    free = [name for name in task.size_names if not is_constant(task, name)]
    if not task.hidden_sizes or not free:
        return []
    require = [Requirement(text) for text in task.require]
    largest = {name: max(sizes[name] for sizes in task.check_sizes) for name in free}
    blocks = [
        int(one) for one in numbers if one >= _LEAST_BLOCK and one % _LEAST_BLOCK == 0 and one < max(largest.values())
    ]
    found: list[Sizes] = []
    for block in rng.sample(blocks, min(len(blocks), _MOST_BLOCKS)):
        beyond = {name: block + 1 for name in free if block + 1 <= largest[name]}
        sizes = mended(task, {**task.check_sizes[-1], **beyond}, require, rng)
        listed = sizes in (*task.check_sizes, *task.bench_sizes, *found)
        if not listed and all_hold(require, sizes) and _is_small(task, sizes):
            found.append(sizes)
    return found


def own_sizes(
    task: Task, numbers: Sequence[float], *, others: Sequence[Sizes], rng: random.Random, first: Sequence[float] = ()
) -> list[Sizes]:
    """Up to `_MOST_OWN` small shapes of which one size is a number of `numbers` or beside one: what is right but for a size that it names
    meets that. The other sizes are those of one of `others`, which are such as the judge chooses, or of a listed shape.

    Args:
        first: Those of the numbers that are tried before all others.

    Raises:
        ValueError: A requirement is no comparison.
    """
    if not task.hidden_sizes or not task.size_names:
        return []
    require = [Requirement(text) for text in task.require]
    listed = {tuple(sorted(sizes.items())) for sizes in (*task.check_sizes, *task.bench_sizes)}
    whole = [int(number) for number in numbers if number == int(number) and number > _EVERYWHERE]
    rng.shuffle(whole)
    whole.sort(key=lambda number: (number not in first, number % 32 == 0))  # sizes of blocks are in every program
    found: list[Sizes] = []
    for value in [beside for change in (0, 1, -1) for number in whole for beside in (number + change,)]:
        for name in task.size_names:
            if is_constant(task, name) or value > max(sizes[name] for sizes in task.check_sizes):
                continue
            for base in (*others, task.check_sizes[-1]):
                sizes = mended(task, {**base, name: value}, require, rng)
                fits = sizes[name] == value and all_hold(require, sizes) and _is_small(task, sizes)
                if fits and tuple(sorted(sizes.items())) not in listed and sizes not in found:
                    found.append(sizes)
                    break
            if len(found) == _MOST_OWN:
                return found
    return found


def is_constant(task: Task, name: str) -> bool:
    """Whether a size is the same wherever the task says one. A single check shape says nothing by itself of what may change."""
    shapes = task.check_sizes if len(task.check_sizes) > 1 else (*task.check_sizes, *task.bench_sizes)
    return len({sizes[name] for sizes in shapes}) == 1


def _choices(task: Task, name: str, require: Sequence[Requirement], rng: random.Random) -> list[int]:
    """Values of one size that satisfy what is required of it alone: the awkward ones, and others where those are few."""
    listed = [sizes[name] for sizes in task.check_sizes]
    if is_constant(task, name):
        return [listed[0]]
    own = [one for one in require if one.names == {name}]
    awkward = [value for value in _AWKWARD if value <= max(listed) and all_hold(own, {name: value})]
    if len(awkward) >= _FEW or not own:
        return awkward
    others = [value for value in range(1, min(max(listed), _MOST_SCANNED) + 1) if all_hold(own, {name: value})]
    return sorted({*awkward, *others[:1], *rng.sample(others, min(len(others), _MOST))})


def mended(task: Task, sizes: dict[str, int], require: Sequence[Requirement], rng: random.Random) -> dict[str, int]:
    """`sizes`, with one of them changed where that satisfies a requirement between several, such as `m == 2 * n`."""
    broken = [one for one in require if len(one.names) > 1 and not all_hold([one], sizes)]
    names = sorted({name for one in broken for name in one.names})
    for name in rng.sample(names, len(names)):
        if is_constant(task, name):
            continue
        largest = max(shape[name] for shape in task.check_sizes)
        values = range(1, min(largest, _MOST_MENDED) + 1)
        for value in rng.sample(values, len(values)):
            if all_hold(require, {**sizes, name: value}):
                return {**sizes, name: value}
    return sizes


def all_hold(require: Sequence[Requirement], sizes: Sizes) -> bool:
    """Whether all of `require` hold; a requirement without a value (a division by zero) does not."""
    try:
        return all(one.holds(sizes) for one in require)
    except ValueError:
        return False


def _is_small(task: Task, sizes: Sizes) -> bool:
    """Shapes that have a value, none of them empty, and no more bytes than a quick check needs."""
    try:
        lengths = [arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY]
        total = array_bytes(task, sizes)
    except ValueError:
        return False
    listed = max(array_bytes(task, shape) for shape in task.check_sizes)
    return all(lengths) and total <= max(_MAX_BYTES, listed)


def scaled_bench_sizes(task: Task, largest: Sizes, *, is_enough: Callable[[Sizes], bool]) -> Sizes:
    """`largest` with every size doubled, as often as it takes until `is_enough`; sizes that all check shapes share stay.

    Stops before the arrays take more than 1 GiB, or a requirement fails; the last shape that fits is then the answer.
    """
    fixed = {name for name in task.size_names if len({sizes[name] for sizes in task.check_sizes}) == 1}
    scaled = [name for name in task.size_names if name not in fixed] or list(task.size_names)
    sizes = dict(largest)
    for _ in range(_DOUBLINGS):
        if is_enough(sizes):
            return sizes
        larger = {name: value * 2 if name in scaled else value for name, value in sizes.items()}
        if (
            not satisfies(task.require, larger)
            or array_bytes(task, larger) > _MOST_BYTES
            or max(larger.values()) >= 2**31
        ):
            return sizes
        sizes = larger
    return sizes


def untimed_sizes(task: Task, sizes: Sizes) -> Sizes:
    """A timed shape made smaller for a judge that takes no times: sizes are halved, none below the largest listed, until the arrays take
    a few MiB, or as far as requirements let them."""
    floor = {name: max(row[name] for row in task.check_sizes) for name in task.size_names}
    while array_bytes(task, sizes) > _UNTIMED_BYTES:
        smaller = {name: max(value // 2, min(value, floor[name])) for name, value in sizes.items()}
        if smaller == sizes or not satisfies(task.require, smaller):
            break
        sizes = smaller
    return sizes


def array_bytes(task: Task, sizes: Sizes) -> int:
    """What all arrays of one call take."""
    return sum(arg.size_bytes(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY)


def choose_evidence_sizes(task: Task, start: Sizes, model: Callable[[Sizes], Evidence | None]) -> Sizes:
    """The largest doubling of `start` that a program, modelled by `model`, is expected to run through quickly."""
    sizes, evidence = start, model(start)
    limit = task.bench_sizes[0] if task.bench_sizes else None
    growth = 8.0  # of a doubling, until one was seen; cubic work is the most that is common
    while evidence is not None and evidence.instructions * growth <= _ENOUGH_INSTRUCTIONS:
        larger = {name: min(2 * size, max(size, limit[name])) if limit else 2 * size for name, size in sizes.items()}
        if larger == sizes or not satisfies(task.require, larger):
            break
        grown = model(larger)
        if grown is None:
            break
        growth = max(2.0, grown.instructions / max(1, evidence.instructions))
        sizes, evidence = larger, grown
    return sizes
