// What a compiled candidate and the runtime agree on: plain C functions and the codes they take.
#pragma once

enum EmulatedBarrier : int { kBarrierPlain, kBarrierCount, kBarrierAnd, kBarrierOr };
enum EmulatedWarpOperation : int {
    kWarpSync,
    kWarpBallot,
    kWarpShuffle,
    kWarpShuffleUp,
    kWarpShuffleDown,
    kWarpShuffleXor,
    kWarpActiveMask,
    kWarpMatchAny,
    kWarpMatchAll,
    kWarpAdd,
    kWarpMinSigned,
    kWarpMaxSigned,
    kWarpMinUnsigned,
    kWarpMaxUnsigned,
    kWarpAnd,
    kWarpOr,
    kWarpXor
};
enum EmulatedAtomic : int {
    kAtomicAdd,
    kAtomicSub,
    kAtomicExchange,
    kAtomicMinUnsigned,
    kAtomicMaxUnsigned,
    kAtomicMinSigned,
    kAtomicMaxSigned,
    kAtomicAnd,
    kAtomicOr,
    kAtomicXor,
    kAtomicIncrement,
    kAtomicDecrement,
    kAtomicCompareSwap,
    kAtomicAddFloat,
    kAtomicAddDouble,
    kAtomicLoad,
    kAtomicOfBlock = 1 << 8  // besides one of these: atomic for the own block alone
};
enum EmulatedMemory : int { kDeviceMemory, kSharedWithHost, kPooled };  // of an allocation; pooled: in the order of a stream
enum EmulatedSpace : int { kSpaceOther, kSpaceGlobal, kSpaceShared, kSpaceConstant, kSpaceLocal };
// Of the made-up device: what queries answer is what launches allow.
enum EmulatedDevice : int { kEmulatedProcessors = 132, kEmulatedThreadsPerProcessor = 2048, kEmulatedBlocksPerProcessor = 32 };
typedef struct emulated_stream* cudaStream_t;
typedef void (*EmulatedPadding)(void* object);  // sets an object's padding to zero, see padding.h
struct EmulatedLaunch {
    const char* kernel;
    dim3 grid, block;
    size_t dynamic_shared_bytes;
    int cooperative;
    cudaStream_t stream;
};
typedef void (*EmulatedLauncher)(const EmulatedLaunch* launch, const void* kernel, void** pointers);

extern "C" {
// Thread-private values, switched by the scheduler. Const here, so that reads are neither instrumented nor repeated.
#ifndef REGRAPHT_RUNTIME
struct EmulatedExtent {
    unsigned x, y, z;
    operator dim3() const { return dim3(x, y, z); }
    operator uint3() const { return uint3{x, y, z}; }
};
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const EmulatedExtent blockDim;
extern const EmulatedExtent gridDim;
#endif

void emulated_launch(const EmulatedLaunch* launch, void (*thread)(void*), void* parameters, size_t parameter_bytes);
// A kernel whose pointer loses its type, and a launch by such a pointer: an error of CUDA's, or 0.
void emulated_know_kernel(const void* kernel, const char* name, EmulatedLauncher launcher);
int emulated_launch_without_type(const EmulatedLaunch* launch, const void* kernel, void** pointers);
// The first statement of a kernel with __launch_bounds__; and a block size that a query of the host's has proposed.
void emulated_launch_bounds(long long threads);
void emulated_proposed_block(int threads);
void emulated_barrier(int kind, int predicate, int* result, unsigned line, unsigned place);
void emulated_grid_sync();
void emulated_async_copy(void* to, const void* value, unsigned bytes);
void emulated_async_commit();
void emulated_async_wait(unsigned groups_left);
void emulated_read_only(const void* address, unsigned bytes);
uint64_t emulated_warp(int operation, unsigned mask, uint64_t value, int argument, int width);
int emulated_shared_slot(size_t bytes, size_t alignment, EmulatedPadding padding);
void* emulated_shared(int slot);
void* emulated_dynamic_shared(size_t element_bytes, EmulatedPadding padding);
uint16_t emulated_atomic16(void* address, int operation, uint16_t value, uint16_t compare);
uint32_t emulated_atomic32(void* address, int operation, uint32_t value, uint32_t compare);
uint64_t emulated_atomic64(void* address, int operation, uint64_t value, uint64_t compare);
void emulated_atomic128(void* address, int operation, const void* value, const void* compare, void* old);
uint64_t emulated_atomic_update(void* address, size_t bytes, uint64_t value, uint64_t (*next)(uint64_t, uint64_t), int of_block);
int emulated_space(const void* address);
unsigned emulated_lane();
unsigned long long emulated_clock();
void emulated_fence(int device_wide);
void emulated_trap();
void emulated_sleep();
void emulated_unsupported(const char* what);
int emulated_malloc(void** pointer, size_t bytes, EmulatedMemory memory);
void emulated_padding(void* start, size_t element_bytes, EmulatedPadding padding);
void emulated_allow_dynamic_shared(int bytes);
int emulated_blocks_per_processor(int threads, size_t shared_bytes);
int emulated_pointer_type(const void* pointer);  // as cudaMemoryType
size_t* emulated_limit(int limit);  // of the device; null where there is no such limit
// Between `host_or_device` and a part of a variable; `asynchronous`: in its stream, else in the default stream.
int emulated_symbol_copy(void* symbol, size_t symbol_bytes, void* host_or_device, size_t bytes, size_t offset, int to_symbol,
                         int asynchronous, cudaStream_t stream);
}
static constexpr int warpSize = 32;
