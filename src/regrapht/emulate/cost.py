"""One unit-less figure for ranking emulated candidates. It is modelled, never a time, and no ratio of two is a speed-up.

A nominal device stands in for a GPU. For each kernel

    cost = launches * LAUNCH
         + waves * critical_path                    what one warp must wait for, times how often the device has to be filled
         + warp_instructions / (PROCESSORS * ISSUE)  issue slots
         + sectors / SECTORS_PER_CYCLE               memory throughput
         + shared_passes / PROCESSORS                shared-memory throughput
         + atomic_passes / ATOMICS_PER_CYCLE         serialised atomics

and for each call

    cost += transfers * LAUNCH + host_bytes / HOST_BYTES_PER_CYCLE + device_bytes / (SECTOR_BYTES * SECTORS_PER_CYCLE)

with

    critical_path = imbalance * (INSTRUCTION * instructions + GLOBAL * global_requests + SECTOR * sectors + PASS * shared_passes
                                 + ATOMIC * atomic_passes + BARRIER * barriers), each a mean over the launch's warps
    waves = max(1, warps / (PROCESSORS * RESIDENT_WARPS))

It is a roofline whose terms are added where the usual one takes their maximum: each saving shows, however small the shape. A launch with
few warps gets no throughput it cannot use, because its critical path is charged in full: a serial `<<<1, 1>>>` kernel pays for every
instruction and access one after the other.
"""

from dataclasses import dataclass

# A nominal device, about the size of a large data-centre GPU; cycles and counts are round on purpose.
PROCESSORS = 128
RESIDENT_WARPS = 64
ISSUE = 4
SECTORS_PER_CYCLE = 64
ATOMICS_PER_CYCLE = 16
SECTOR_BYTES = 32
HOST_BYTES_PER_CYCLE = 32
"""Across the link to the host: a sixty-fourth of the device's own memory."""
LAUNCH = 4000.0
INSTRUCTION = 2.0
GLOBAL = 100.0
"""A global request of one warp; a few are in flight together, so it is less than the memory's latency."""
SECTOR = 4.0
PASS = 6.0
ATOMIC = 12.0
BARRIER = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelWork:
    """What all launches of one kernel with one shape did, over all their warps."""

    launches: float
    warps: float
    warp_instructions: float
    """Executed by warps: a divergent branch costs both sides."""
    global_requests: float
    sectors: float
    shared_passes: float
    atomic_passes: float
    """Lanes of one request that update the same word take one pass each."""
    block_barriers: float
    blocks: float
    imbalance: float
    """Work of the busiest warp of a block over the mean, at least 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferWork:
    """What copies and fills of one call moved: results that the host computed are not free."""

    count: float
    host_bytes: float
    device_bytes: float


NO_TRANSFERS = TransferWork(count=0, host_bytes=0, device_bytes=0)


def modelled_cost(kernels: list[KernelWork], transfers: TransferWork = NO_TRANSFERS) -> float:
    """The figure for one call of the entry: the sum over its kernels and transfers; 0 when nothing was done on the device."""
    moved = transfers.host_bytes / HOST_BYTES_PER_CYCLE + transfers.device_bytes / (SECTOR_BYTES * SECTORS_PER_CYCLE)
    return sum(_kernel_cost(kernel) for kernel in kernels) + LAUNCH * transfers.count + moved


def _kernel_cost(work: KernelWork) -> float:
    warps = max(1.0, work.warps)
    launches = max(1.0, work.launches)
    per_warp = (
        INSTRUCTION * work.warp_instructions
        + GLOBAL * work.global_requests
        + SECTOR * work.sectors
        + PASS * work.shared_passes
        + ATOMIC * work.atomic_passes
    ) / warps + BARRIER * work.block_barriers / max(1.0, work.blocks)
    waves = max(1.0, warps / launches / (PROCESSORS * RESIDENT_WARPS))
    return (
        launches * (LAUNCH + waves * max(1.0, work.imbalance) * per_warp)
        + work.warp_instructions / (PROCESSORS * ISSUE)
        + work.sectors / SECTORS_PER_CYCLE
        + work.shared_passes / PROCESSORS
        + work.atomic_passes / ATOMICS_PER_CYCLE
    )
