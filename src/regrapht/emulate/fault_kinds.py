"""What checks of the emulator can report: each kind with the status it refuses with, its meaning and the smallest change that mends it."""

from dataclasses import dataclass

from regrapht.records.verdict import Severity, Status


@dataclass(frozen=True, slots=True)
class Fault:
    """How one kind of finding is judged and explained."""

    status: Status
    severity: Severity
    meaning: str
    hint: str


def _error(status: Status, meaning: str, hint: str) -> Fault:
    return Fault(status, Severity.ERROR, meaning, hint)


def _warning(status: Status, meaning: str, hint: str) -> Fault:
    return Fault(status, Severity.WARNING, meaning, hint)


_BARRIER_BETWEEN = "Put __syncthreads() (inside one warp: __syncwarp()) between the two accesses."
_ATOMIC_OR_OWN = "Let each element be written by one thread only, or use an atomic operation."

FAULTS: dict[str, Fault] = {
    "global_oob": _error(
        Status.OUT_OF_BOUNDS,
        "access outside every allocation",
        "Check the index against the array's length before the access.",
    ),
    "shared_oob": _error(
        Status.OUT_OF_BOUNDS,
        "access outside every __shared__ object",
        "Check the index against the shared array's size.",
    ),
    "device_variable_oob": _error(
        Status.OUT_OF_BOUNDS,
        "access outside a __device__ or __constant__ variable",
        "Check the index against the variable's size.",
    ),
    "index_beyond_type": _warning(
        Status.OUT_OF_BOUNDS,
        "an index beyond its array's type, which may lead into the next row or member",
        "Check the index against the array's declared length, or index from the start of the whole object.",
    ),
    "shift_beyond_type": _warning(
        Status.WRONG_VALUE,
        "a shift by as many bits as the type has, or more, which a GPU does otherwise than this machine",
        "Keep the count below the type's number of bits, or treat that case by itself.",
    ),
    "number_beyond_type": _warning(
        Status.WRONG_VALUE,
        "a float too large for the integer that it becomes, or none, of which a GPU makes another number than this machine",
        "Clamp the number before it becomes an integer.",
    ),
    "local_oob": _error(
        Status.OUT_OF_BOUNDS,
        "access outside a thread's local array",
        "Check the index against the local array's size.",
    ),
    "null_access": _error(
        Status.OUT_OF_BOUNDS, "access near address 0", "Check that the pointer was set before the launch."
    ),
    "other_threads_local": _error(
        Status.OUT_OF_BOUNDS,
        "access to a local variable of another thread",
        "Hand values on in shared or global memory, or by a shuffle: a pointer to a local variable means nothing to other threads.",
    ),
    "use_after_free": _error(
        Status.OUT_OF_BOUNDS, "access to freed memory", "Free the memory only after its last use."
    ),
    "guard_broken": _error(
        Status.OUT_OF_BOUNDS, "bytes beside an array were changed", "Check the index against the array's length."
    ),
    "transfer_out_of_bounds": _error(
        Status.OUT_OF_BOUNDS,
        "cudaMemcpy or cudaMemset beyond an allocation, or in the wrong direction",
        "Check byte count, pointers and direction of the transfer.",
    ),
    "transfer_overlaps": _error(
        Status.RACE,
        "a copy whose source and target overlap, of which nobody says what it leaves",
        "Copy by way of another array.",
    ),
    "misaligned": _error(
        Status.MISALIGNED,
        "address is not a multiple of the access's size",
        "Use wide accesses only where base pointer and index are multiples of the width.",
    ),
    "host_memory_access": _error(
        Status.BAD_POINTER, "device code used host memory", "Pass device memory (cudaMalloc, cudaMemcpy) to the kernel."
    ),
    "host_deref_device": _error(
        Status.BAD_POINTER, "host code used device memory directly", "Read and write it in a kernel."
    ),
    "constant_write": _error(
        Status.BAD_POINTER,
        "device code wrote a __constant__ variable",
        "Use a __device__ variable for what kernels write.",
    ),
    "built_in_write": _error(
        Status.BAD_POINTER,
        "device code changed threadIdx, blockIdx, blockDim or gridDim",
        "Copy what is to change into a variable.",
    ),
    "invalid_free": _error(
        Status.BAD_POINTER,
        "cudaFree of what was not allocated",
        "Free what cudaMalloc returned, by the same pointer.",
    ),
    "double_free": _error(Status.BAD_POINTER, "cudaFree of what is free already", "Free each allocation once."),
    "wrong_free": _error(Status.BAD_POINTER, "free() of device memory", "Free device memory with cudaFree()."),
    "leak": _warning(
        Status.BAD_POINTER, "an allocation that the call did not free", "Free it with cudaFree() before returning."
    ),
    "uninit_read_global": _error(
        Status.UNINITIALISED_READ,
        "read of device memory that nobody wrote",
        "Write or cudaMemset the memory before it is read.",
    ),
    "uninit_read_shared": _error(
        Status.UNINITIALISED_READ,
        "read of shared memory that this block did not write",
        "Initialise the shared array in this block, then __syncthreads().",
    ),
    "race_shared_ww": _error(
        Status.RACE, "two threads write one shared word without a barrier between", _BARRIER_BETWEEN
    ),
    "race_shared_wr": _error(
        Status.RACE, "shared memory read after another thread's write without a barrier between", _BARRIER_BETWEEN
    ),
    "race_shared_rw": _error(
        Status.RACE, "shared memory written after another thread's read without a barrier between", _BARRIER_BETWEEN
    ),
    "race_global_ww": _error(Status.RACE, "two threads write one global word without synchronisation", _ATOMIC_OR_OWN),
    "race_global_wr": _error(
        Status.RACE,
        "global memory read after another thread's write in the same launch",
        "Synchronise the block (__syncthreads()), or split the work into two launches.",
    ),
    "race_global_rw": _error(
        Status.RACE,
        "global memory written after another thread's read in the same launch",
        "Use an atomic operation, write to another array, or split the work into two launches.",
    ),
    "race_streams": _error(
        Status.RACE,
        "work of two streams uses one word, and nothing orders it",
        "Order the streams by cudaStreamWaitEvent() or a synchronisation, or use one stream.",
    ),
    "race_async_copy": _error(
        Status.RACE,
        "shared memory is used while an asynchronous copy into it may be under way",
        "Wait for the copy in the thread that asked for it (__pipeline_wait_prior(), cg::wait(), pipe.consumer_wait()), then put a barrier "
        "before other threads' use of it.",
    ),
    "race_read_only": _error(
        Status.RACE,
        "__ldg() reads what the same launch has written: the read-only cache may hold the old value",
        "Read it by a plain load, or use __ldg() only for what no thread of the launch writes.",
    ),
    "host_before_sync": _error(
        Status.RACE,
        "the host uses memory before it has waited for the work that uses it",
        "Call cudaDeviceSynchronize(), or synchronise the stream or an event after that work, before the host's access.",
    ),
    "input_write": _error(
        Status.INPUT_MODIFIED,
        "a read-only array was written to",
        "Use memory of your own for what changes, even where it is put back.",
    ),
    "late_write": _error(
        Status.LATE_WRITE,
        "an output is written by work that the default stream does not wait for",
        "Before the function returns, join the stream: cudaStreamSynchronize(), or cudaEventRecord() in it and cudaStreamWaitEvent() of "
        "the default stream; or enqueue everything on the default stream.",
    ),
    "race_unverified_fence": _warning(
        Status.RACE,
        "two threads use one word, ordered by a fence and a flag whose protocol the emulator does not verify",
        "Check the fence and flag protocol by hand.",
    ),
    "block_order": _warning(
        Status.TIMED_OUT,
        "a block waits for one of a lower number, which nothing promises to have begun",
        "Let blocks take their numbers from an atomic counter as they begin, or launch them cooperatively.",
    ),
    "write_same_value": _warning(
        Status.RACE, "two threads write the same value to one word", "Let one thread write it."
    ),
    "atomic_and_plain": _warning(
        Status.RACE, "one word is used by atomic and by plain accesses", "Use atomics for all, or a barrier between."
    ),
    "barrier_divergence": _error(
        Status.BARRIER_FAULT,
        "threads of one block wait at different barriers",
        "Move __syncthreads() out of the branch, so that all threads reach the same one.",
    ),
    "barrier_after_exit": _warning(
        Status.BARRIER_FAULT,
        "some threads had returned before a barrier, which devices before compute capability 7.0 do not allow",
        "Put a condition around the work, not around the barrier, and none that returns early, so that every thread reaches it.",
    ),
    "barrier_skipped": _error(
        Status.BARRIER_FAULT,
        "a barrier that threads which took part in earlier ones have passed by on their way to the end",
        "Move __syncthreads() out of the branch or loop, so that all threads reach it equally often.",
    ),
    "barrier_deadlock": _error(
        Status.BARRIER_FAULT,
        "no thread can go on: one waits at a barrier that others of its block never reach",
        "Make all threads of the block reach the barrier.",
    ),
    "warp_deadlock": _error(
        Status.BARRIER_FAULT,
        "no thread can go on: a lane waits at a warp function for lanes of its mask that never reach it with the same mask",
        "Name in the mask exactly the lanes that call the function, the same mask in all of them.",
    ),
    "grid_sync_deadlock": _error(
        Status.BARRIER_FAULT,
        "no thread can go on: some wait for the whole grid, which others have left",
        "Let every thread of every block reach grid.sync(); put a condition around the work, not around the barrier.",
    ),
    "livelock": _error(
        Status.TIMED_OUT,
        "all threads that can run wait for a value that none of them changes",
        "Let the value be written before or by a thread that runs at the same time: blocks of a plain launch may run one after the other.",
    ),
    "shuffle_inactive_source": _error(
        Status.BARRIER_FAULT,
        "a shuffle reads from a lane that does not take part",
        "Call the shuffle from all lanes of the mask, outside the branch.",
    ),
    "warp_mask_excludes_caller": _error(
        Status.BARRIER_FAULT, "the calling lane is not in its own mask", "Include every calling lane in the mask."
    ),
    "warp_mask_exited_lane": _warning(
        Status.BARRIER_FAULT,
        "the mask names lanes that have exited or never existed",
        "Use a mask of the lanes that are there.",
    ),
    "grid_sync_not_cooperative": _error(
        Status.BARRIER_FAULT,
        "grid.sync() in a launch that is not cooperative",
        "Launch with cudaLaunchCooperativeKernel.",
    ),
    "launch_refused": _error(
        Status.CRASHED,
        "CUDA refuses the launch",
        "Stay within the limit that the message names: larger counts belong in x of the grid, or in a loop over them in the kernel; more "
        "than 48 KiB of shared memory is dynamic and asked for by cudaFuncSetAttribute(). Where there is nothing to do, launch nothing.",
    ),
    "launch_bounds_exceeded": _error(
        Status.CRASHED,
        "CUDA refuses the launch",
        "Launch at most as many threads a block as the kernel's __launch_bounds__ say, or raise them to the largest block launched.",
    ),
    "launch_refused_handled": _warning(
        Status.CRASHED,
        "CUDA refuses a launch, and the program takes note of the error",
        "Stay within the limits of a block, so that the first launch works.",
    ),
    "too_many_registers": _error(
        Status.CRASHED,
        "too many resources requested for launch",
        "Launch smaller blocks, or declare the kernel __launch_bounds__(threads of a block), so that the compiler uses fewer registers.",
    ),
    "perhaps_too_many_registers": _warning(
        Status.CRASHED,
        "too many resources requested for launch, if this is the instance of the template that is launched",
        "Launch smaller blocks, or declare the kernel __launch_bounds__(threads of a block), so that the compiler uses fewer registers.",
    ),
    "computed_on_host": _error(
        Status.POLICY_REJECTED,
        "outputs were copied from host memory instead of being written by kernels",
        "Compute the outputs in kernels, and leave them in the arrays that the entry is given.",
    ),
    "timeout": _error(
        Status.TIMED_OUT, "still running near the time limit", "Check the loop's end condition, and what it waits for."
    ),
    "crash": _error(Status.CRASHED, "the program used memory that is not there", "Check pointers and array bounds."),
    "divided_by_zero": _error(
        Status.CRASHED,
        "whole numbers were divided by zero, or the lowest by -1",
        "Test the divisor first: a GPU goes on with a number that means nothing.",
    ),
    "aborted": _error(
        Status.CRASHED, "the program ended itself", "See what calls abort(), throws or fails an assertion there."
    ),
    "illegal_instruction": _error(
        Status.CRASHED,
        "the program came to where no code is meant to be",
        "See which function ends without a return, or calls __builtin_trap().",
    ),
    "stack_overflow": _error(
        Status.CRASHED,
        "a thread's local arrays or recursion overflow its stack",
        "Keep large arrays in shared or global memory.",
    ),
    "device_assert": _error(Status.CRASHED, "an assertion failed in device code", "See the assertion's condition."),
    "trap": _error(Status.CRASHED, "__trap() was called", "See the condition that leads to it."),
    "clock_read": _warning(
        Status.UNSUPPORTED,
        "device code reads a clock, whose value means nothing here",
        "Let no result depend on clock() or clock64(); measure on a GPU.",
    ),
}
