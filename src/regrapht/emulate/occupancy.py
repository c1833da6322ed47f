"""How many warps of a kernel a processor holds at once, by its launch shape, shared memory and registers; and which launches a GPU refuses
because their blocks need more registers than there are, where a CUDA compiler said the registers.

The limits are those that NVIDIA's CUDA C++ Programming Guide lists for compute capability 9.0 (table of technical specifications).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regrapht.emulate.fault_kinds import FAULTS
from regrapht.records.verdict import Evidence, Finding, KernelResources

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
UNCHECKED = "registers_unchecked"
"""The label where no CUDA compiler said how many registers a kernel takes: a launch may need more than a block has."""


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


def launches_without_registers(
    evidence: Iterable[Evidence | None], resources: Sequence[KernelResources]
) -> tuple[Finding, ...]:
    """A finding for each kernel and block size that a device of compute capability 9.0 would not launch.

    Of a template only the name is known, not which instance was launched: it is an error when even the instance with the fewest registers
    does not fit, else a warning.
    """
    launched = {
        (kernel.name, threads_of(kernel.block)) for each in evidence if each is not None for kernel in each.kernels
    }
    found = []
    for name, threads in sorted(launched):
        counts = sorted(r.registers_per_thread for r in resources if r.name == name and r.registers_per_thread)
        for kind, registers in (("too_many_registers", counts[:1]), ("perhaps_too_many_registers", counts[-1:])):
            if registers and registers_of_block(threads, registers[0]) > BLOCK_REGISTERS:
                found.append(_finding(kind, name, threads, registers[0]))
                break
    return tuple(found)


def threads_of(block: tuple[int, int, int]) -> int:
    """Threads of a block."""
    x, y, z = block
    return x * y * z


def _finding(kind: str, name: str, threads: int, registers: int) -> Finding:
    fault = FAULTS[kind]
    return Finding(
        kind=kind,
        status=fault.status,
        severity=fault.severity,
        checker="emulator",
        message=f"{fault.meaning}: {name} with {threads} threads a block and {registers} registers a thread takes "
        f"{registers_of_block(threads, registers):,} of {BLOCK_REGISTERS:,} registers",
        kernel=name,
        hint=fault.hint,
    )


def _rounded(count: int, unit: int) -> int:
    return -(-count // unit) * unit
