"""What an error that CUDA reports for a candidate's call means: a status, a name, and in plain words what happened and what to do."""

from dataclasses import dataclass

from regrapht.records.verdict import Status


@dataclass(frozen=True, slots=True)
class DeviceError:
    """One code of `cudaError_t`."""

    status: Status
    name: str
    advice: str
    """Whole sentences for who wrote the program."""


_KNOWN = {
    1: DeviceError(
        Status.CRASHED,
        "invalid argument of a CUDA call",
        "A call of the runtime was given what it does not take: a length beyond the memory it points to, a pointer of the wrong kind, "
        "or more shared memory than a kernel may have. Check the arguments of each cuda...() call and of each launch.",
    ),
    2: DeviceError(
        Status.OUT_OF_MEMORY,
        "out of device memory",
        "The program asked for more memory than the device has. Allocate what the sizes need and no more, count it in 64 bits, and free it "
        "before the function returns.",
    ),
    9: DeviceError(
        Status.CRASHED,
        "invalid launch configuration (blocks, threads or shared memory)",
        "A launch asked for what no device takes: no blocks or no threads at all, more than 1024 threads in a block, more than 65535 "
        "blocks in y or z, or more shared memory than a block may have. Count blocks with (n + threads - 1) / threads, so that a "
        "small size gets one.",
    ),
    98: DeviceError(
        Status.CRASHED,
        "invalid device function",
        "What was launched is no kernel for this device. Launch `__global__` functions of this file, by their names.",
    ),
    400: DeviceError(
        Status.CRASHED,
        "invalid resource handle",
        "A stream, an event or a graph was used that was never created or is destroyed already. Create it before its first use, and "
        "destroy it after the last.",
    ),
    700: DeviceError(
        Status.OUT_OF_BOUNDS,
        "illegal memory access on the device",
        "A kernel read or wrote memory that is not there: an index outside of an array, memory that is freed already, or a pointer to "
        "memory of the host. Guard every index by its array's length, and count in 64 bits where a product of sizes may pass "
        "2147483647.",
    ),
    701: DeviceError(
        Status.CRASHED,
        "too many resources requested for launch",
        "A block needs more registers than there are for so many threads. Launch fewer threads in a block, or put "
        "__launch_bounds__(threads) before the kernel's name.",
    ),
    702: DeviceError(
        Status.TIMED_OUT,
        "the launch timed out",
        "A kernel did not end in its time. Look for a loop whose end is never met, and for threads that wait for others which wait for "
        "them.",
    ),
    710: DeviceError(
        Status.CRASHED,
        "a device-side assertion failed",
        "An assert() of the program does not hold in some thread. Let threads beyond the sizes return before it, or mend what it tests.",
    ),
    714: DeviceError(
        Status.CRASHED,
        "hardware stack error",
        "A thread's stack was overrun or overwritten: recursion that is too deep, or an index outside of an array of the thread's own.",
    ),
    715: DeviceError(
        Status.CRASHED,
        "illegal instruction",
        "A kernel came to what is no instruction: the end of a function that should return a value and does not, or a call through a "
        "pointer to a function of the host. Return a value on every way, and call functions by their names.",
    ),
    716: DeviceError(
        Status.MISALIGNED,
        "misaligned address on the device",
        "A type was read or written at an address that is no multiple of its size, a float4 or an int2 in most cases. Take vectors only "
        "where the index of the first element is a multiple of their length and the row's length is too; take single elements "
        "elsewhere.",
    ),
    717: DeviceError(
        Status.BAD_POINTER,
        "invalid address space",
        "An instruction met memory of a kind that it does not work on: in most cases an atomic on a variable or an array of the "
        "thread's own (`int sum; atomicAdd(&sum, x)`), where atomics work on global and __shared__ memory alone. Change a thread's "
        "own variable with plain code, and use the atomic on the array or on a __shared__ variable. Else a pointer is used that was "
        "never set.",
    ),
    718: DeviceError(
        Status.CRASHED,
        "invalid program counter",
        "A kernel went on where there is no code: a call through a pointer that is not set or names a function of the host, or a stack "
        "that an index outside of an array of the thread's own has overwritten. Call functions by their names, and guard those "
        "indices.",
    ),
    719: DeviceError(
        Status.CRASHED,
        "the kernel failed on the device",
        "In most cases an index outside of a __shared__ array or of one of the thread's own, or a pointer that was never set. Guard every "
        "index by its array's length.",
    ),
    720: DeviceError(
        Status.CRASHED,
        "cooperative launch too large",
        "A cooperative launch has more blocks than can be on the device at once. Take as many as "
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor allows, and let each block walk over several parts.",
    ),
}


def device_error(code: int) -> DeviceError:
    """What the code means; for one that is not known, no more than that a call or a kernel of the program failed."""
    advice = f"CUDA ended a call or a kernel of the program with error {code}. Check the launches and the arguments of each cuda...() call."
    return _KNOWN.get(code) or DeviceError(Status.CRASHED, "a CUDA call failed", advice)
