"""Launches that a GPU refuses because their blocks need more registers than there are: known where a CUDA compiler said the registers."""

from collections.abc import Iterable, Sequence

from regrapht.emulate.fault_kinds import FAULTS
from regrapht.emulate.occupancy import BLOCK_REGISTERS, registers_of_block
from regrapht.records.verdict import Evidence, Finding, KernelResources

UNCHECKED = "registers_unchecked"
"""The label where no CUDA compiler said how many registers a kernel takes: a launch may need more than a block has."""


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
