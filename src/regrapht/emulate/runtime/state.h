// What the runtime knows: threads, blocks, the launch in progress, and the counters of kernels. One OS thread runs everything.
#pragma once
#define REGRAPHT_RUNTIME 1
#include <map>
#include <string>
#include <vector>
#include "include/emulated/everything.h"

#ifdef REGRAPHT_CHECKED
constexpr bool kChecked = true;
#else
constexpr bool kChecked = false;
#endif

extern "C" {
struct EmulatedExtent {
    unsigned x, y, z;
};
// The candidate sees these as constants; set_current_thread() changes them.
uint3 threadIdx, blockIdx;
EmulatedExtent blockDim, gridDim;
}

namespace runtime {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr u32 kWarpLanes = 32;
constexpr size_t kStackBytes = 256 << 10;
constexpr size_t kSharedStride = 256 << 10;  // shared memory of one resident block
constexpr u32 kMaxResidentBlocks = 1024;     // of a cooperative launch
constexpr u64 kPatience = 20'000'000;        // accesses of one thread before it must let others run

enum class ThreadState : u8 { kNew, kReady, kYielded, kAtBarrier, kInWarp, kAtGridSync, kDone };

struct Fiber {
    void* stack_pointer;
    char* stack;
};

struct Thread {
    ThreadState state;
    u8 operation;     // EmulatedBarrier or EmulatedWarpOperation
    u8 width;         // of a shuffle's segment
    bool predicate;   // of a barrier
    int argument;     // of a shuffle
    u32 mask;
    u64 value, result;
    u64 barrier_place;  // names the barrier in the source
    void* pc;
    Fiber* fiber;
};

// An epoch numbers an interval between synchronisations. Numbers only grow, so "since the last barrier" is a comparison.
using Epoch = u32;

struct Block {
    dim3 index;
    u32 linear;
    u32 threads_total, warps;
    std::vector<Thread> threads;
    std::vector<Epoch> warp_epoch;  // the interval that each warp is in
    Epoch start, barrier;           // first epoch of the block, first epoch after its last barrier
    u32 exited;
    bool used_atomics;
    char* shared;                   // its shared memory
    std::vector<u32> slot_offset;   // of each __shared__ object, 0: not used yet
    size_t shared_used, dynamic_offset;
};

struct SharedSlot {
    size_t bytes, alignment;
};

enum class Order : u8 { kForward, kReverse, kRandom };

struct Launch {  // the launch in progress
    const char* kernel = "";
    dim3 grid, block;
    size_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    void (*thread)(void*) = nullptr;
    char* parameters = nullptr;
    size_t parameter_bytes = 0;
    Epoch epoch = 0;  // first epoch of the launch, or after its last grid-wide synchronisation
    bool aborted = false;
    bool fences = false;             // it uses device-wide fences
    std::vector<u8> fenced;          // blocks that have used one
    std::vector<std::pair<Epoch, u32>> owners;  // from this epoch on, this block runs
};

struct Scheduler {
    void* stack_pointer = nullptr;
    std::vector<Fiber*> idle;
    Order order = Order::kForward;
    u64 random_state = 1;
    u8 lane_order[kWarpLanes];
    u32 position = 0;  // in lane_order
    u64 patience = 0;  // accesses since the thread was resumed
};

Scheduler scheduler;
Launch launch;
Block* block = nullptr;  // the block whose thread runs now
u32 thread_index = 0;    // and that thread, in its block
bool in_kernel = false;
bool tracing = false;    // this block's accesses are recorded for the access model
Epoch current_epoch = 16;
int sticky_error = 0, last_error = 0;
int allowed_dynamic_shared = 48 << 10;
std::vector<SharedSlot> shared_slots;
char* shared_arena = nullptr;
char *stacks_begin = (char*)~0ull, *stacks_end = nullptr;  // all fibers' stacks lie between

inline u64 random_number() {  // xorshift*: schedules need variety, not quality
    u64& s = scheduler.random_state;
    s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
    return s * 0x2545F4914F6CDD1Dull;
}
inline Epoch new_epoch() { return ++current_epoch; }
inline Thread& current_thread() { return block->threads[thread_index]; }

inline void set_current_thread(Block* b, u32 t) {
    block = b;
    thread_index = t;
    const u32 x = launch.block.x, xy = launch.block.x * launch.block.y;
    threadIdx = {t % x, t % xy / x, t / xy};
    blockIdx = {b->index.x, b->index.y, b->index.z};
}

inline std::string whereabouts() {
    char text[200];
    snprintf(text, sizeof text, "block (%u,%u,%u) thread (%u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
             threadIdx.z);
    return text;
}

void back_to_scheduler();
[[noreturn]] void abort_launch(int error);
}  // namespace runtime
