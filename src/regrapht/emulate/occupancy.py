"""How many warps of a kernel a processor holds at once: arithmetic on its launch shape, shared memory and registers.

The limits are those that NVIDIA's CUDA C++ Programming Guide lists for compute capability 9.0 (table of technical specifications).
"""

from dataclasses import dataclass

ARCHITECTURE = "sm_90"
WARPS = 64
"""Of a processor, at most."""
_BLOCKS, _REGISTERS, _SHARED_BYTES = 32, 65536, 233472
_REGISTER_UNIT, _SHARED_UNIT, _SHARED_RESERVED = 256, 128, 1024
"""Registers are given to a warp in units; shared memory to a block in units, besides what the system keeps of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Modelled residency on one processor."""

    warps: int
    """Resident at once; 0 when not even one block fits."""
    limit: str
    """What keeps more from fitting: `warps`, `blocks`, `shared memory` or `registers`."""
    registers_known: bool


def occupancy(block_threads: int, *, shared_bytes: int, registers: int | None) -> Occupancy:
    """The occupancy of blocks of `block_threads` threads; `registers` of a thread, None where no CUDA compiler said them."""
    warps = -(-block_threads // 32)
    shared = _rounded(shared_bytes + _SHARED_RESERVED, _SHARED_UNIT)
    fits = {"warps": WARPS // warps, "blocks": _BLOCKS, "shared memory": _SHARED_BYTES // shared}
    if registers:
        fits["registers"] = _REGISTERS // _rounded(registers * 32, _REGISTER_UNIT) // warps
    limit = min(fits, key=lambda name: fits[name])
    return Occupancy(warps=fits[limit] * warps, limit=limit, registers_known=registers is not None)


def _rounded(count: int, unit: int) -> int:
    return -(-count // unit) * unit
