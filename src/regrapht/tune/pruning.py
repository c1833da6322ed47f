"""Which settings are not worth a judgement: what cannot be launched, what keeps a processor empty, and what the model cannot tell apart.

Occupancy is arithmetic for compute capability 9.0. It is used only to leave out what is far off: programs with few resident warps and much
work a thread are often the fastest.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from regrapht.emulate.occupancy import ARCHITECTURE, occupancy
from regrapht.records.verdict import Verdict
from regrapht.tune.launch_shapes import LaunchShape, launch_shapes
from regrapht.tune.opening import OpenParameter, Setting

MAX_THREADS = 1024
MAX_STATIC_SHARED_BYTES = 48 * 1024
FEWEST_WARPS = 8
"""Resident warps: two for each of a processor's four schedulers. With one, a scheduler stands still whenever that one waits."""
SAME_COST = 0.001
"""Modelled costs this near to each other are one."""
_BLIND_AFTER = 3
"""So many values of one parameter with the same modelled cost, all else equal: the model does not see this parameter."""


def launch_problem(source: str, registers: Mapping[str, int]) -> str | None:
    """Why a program's launches cannot work or leave processors empty; None when nothing speaks against them.

    `registers` of a thread, by kernel, where they are known to be those of this program.
    """
    for shape in launch_shapes(source):
        problem = _problem(shape, registers.get(shape.kernel))
        if problem is not None:
            return f"{shape.kernel}: {problem}"
    return None


def _problem(shape: LaunchShape, registers: int | None) -> str | None:
    if shape.threads is None:
        return None
    if shape.threads > MAX_THREADS:
        return f"a block of {shape.threads} threads is more than {MAX_THREADS}"
    shared = shape.shared_bytes or 0
    if shared > MAX_STATIC_SHARED_BYTES:
        return f"a block declares {shared} bytes of shared memory, {MAX_STATIC_SHARED_BYTES} is the most"
    found = occupancy(max(1, shape.threads), shared_bytes=shared, registers=registers)
    what = f"{shape.threads} threads a block" + (f" with {registers} registers each" if registers else "")
    if found.warps == 0:
        return f"{what} do not fit on a processor of {ARCHITECTURE} ({found.limit})"
    if found.warps < FEWEST_WARPS:
        return f"{what} leave {found.warps} resident warps on a processor of {ARCHITECTURE} ({found.limit})"
    return None


def known_registers(
    setting: Setting, parameters: Sequence[OpenParameter], judged: Sequence[tuple[Setting, Verdict]]
) -> dict[str, int]:
    """Registers of a thread, by kernel, that a compiler said of a program which differs from this one in its launch shape alone."""
    inside = [parameter.name for parameter in parameters if not parameter.shapes_launch]
    for other, verdict in judged:
        if all(setting[name] == other[name] for name in inside) and verdict.resources:
            return {
                each.name: each.registers_per_thread
                for each in verdict.resources
                if each.registers_per_thread is not None
            }
    return {}


def blind_parameters(parameters: Sequence[OpenParameter], costs: Sequence[tuple[Setting, float]]) -> frozenset[str]:
    """Parameters that the model does not see: several values of each, all else equal, have the same modelled cost."""
    blind = set()
    for parameter in parameters:
        groups: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for setting, cost in costs:
            groups[tuple(setting[each.name] for each in parameters if each is not parameter)].append(cost)
        if any(len(group) >= _BLIND_AFTER and max(group) <= min(group) * (1 + SAME_COST) for group in groups.values()):
            blind.add(parameter.name)
    return frozenset(blind)


def same_to_the_model(setting: Setting, blind: frozenset[str], costs: Sequence[tuple[Setting, float]]) -> float | None:
    """The cost of a judged setting that differs from this one only where the model is blind; None when there is none."""
    for other, cost in costs:
        if blind and all(setting[name] == other[name] for name in setting if name not in blind):
            return cost
    return None
