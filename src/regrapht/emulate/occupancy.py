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
_PARTITIONS = 4
"""Of a processor. Each has a quarter of its registers, and a warp lives in one of them."""
BLOCK_REGISTERS = _REGISTERS
"""Of a block, at most."""


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
        resident = _REGISTERS // _PARTITIONS // _rounded(registers * 32, _REGISTER_UNIT) * _PARTITIONS
        launchable = registers_of_block(block_threads, registers) <= BLOCK_REGISTERS
        fits["registers"] = resident // warps if launchable else 0
    limit = min(fits, key=lambda name: fits[name])
    return Occupancy(warps=fits[limit] * warps, limit=limit, registers_known=registers is not None)


def registers_of_block(threads: int, registers: int) -> int:
    """What a block needs of `BLOCK_REGISTERS`, as a launch is checked: as many warps in every partition of a processor.

    The rule is that of `cudaOccMaxBlocksPerSMRegsLimit` in cuda_occupancy.h of CUDA 13.0.
    """
    return _rounded(registers * 32, _REGISTER_UNIT) * _rounded(-(-threads // 32), _PARTITIONS)


def _rounded(count: int, unit: int) -> int:
    return -(-count // unit) * unit
