// What the runtime knows: threads, blocks, the launch in progress, and the counters of kernels. One OS thread runs everything.
#pragma once
#define REGRAPHT_RUNTIME 1
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "include/emulated/everything.h"

#ifdef REGRAPHT_CHECKED
constexpr bool kChecked = true;
#else
constexpr bool kChecked = false;
#endif
#ifdef REGRAPHT_STACKS  // the program's own arrays alone are checked, in a build of their own
constexpr bool kStacks = true;
#else
constexpr bool kStacks = false;
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
constexpr u32 kMaxResidentBlocks = kEmulatedProcessors * kEmulatedBlocksPerProcessor;  // of a cooperative launch
constexpr u32 kPatience = 20'000'000;        // accesses of one thread before it must let others run
constexpr u32 kVainReads = 100, kSpunOn = 8;  // reads that changed nothing before a thread must let others run; words that it may spin on
constexpr u32 kIdleRounds = 1000;             // of all threads in which nothing changes: they wait for ever

// An epoch numbers an interval between synchronisations. Numbers only grow, so "since the last barrier" is a comparison.
using Epoch = u32;

enum class ThreadState : u8 { kNew, kReady, kYielded, kAtBarrier, kInWarp, kAtGridSync, kDone };

struct Fiber {
    void* stack_pointer;
    char* stack;
};

struct AsyncCopy {  // that a thread has asked for and not waited for
    char* to;
    u32 bytes, group;
    void* pc;
    char data[16];
};

struct Thread {
    ThreadState state;
    u8 operation;     // EmulatedBarrier or EmulatedWarpOperation
    u8 width;         // of a shuffle's segment
    bool predicate;   // of a barrier
    bool spins;       // it was to run on when the round ended
    int argument;     // of a shuffle
    u32 mask;
    u64 value, result;
    u64 barrier_place;  // names the barrier in the source
    void* pc;
    Fiber* fiber;
    Epoch epoch;  // the interval between synchronisations that it is in
    std::vector<AsyncCopy> copies;
    u32 copy_groups;  // that it has closed
};

// What the lanes of a warp know of each other.
struct WarpClock {
    Epoch whole;           // what any lane did in earlier intervals is ordered before what any does now
    void* place;           // of the synchronisation that ordered it; nullptr: the block's start
    bool partial = false;  // some lanes have synchronised without the others since
    Epoch since[kWarpLanes][kWarpLanes];  // if partial: what lane b did before since[a][b] is ordered before what lane a does now
};

struct Block {
    dim3 index;
    u32 linear;
    u32 threads_total, warps;
    std::vector<Thread> threads;
    std::vector<WarpClock> clocks;
    Epoch start, barrier;          // first epoch of the block, first epoch after its last barrier
    void* barrier_place;           // of that barrier; nullptr: there was none
    u32 exited, exited_late;       // of these, after a barrier of the block
    char* shared;                  // its shared memory
    std::vector<u32> slot_offset;  // of each __shared__ object, 0: not used yet
    size_t shared_used, dynamic_offset;
    size_t static_shared_bytes;    // of the __shared__ objects used so far
};

struct SharedSlot {
    size_t bytes, alignment;
    std::vector<u32> padding;  // offsets of bytes that need no value
};

enum class Order : u8 { kForward, kReverse, kRandom };

struct Launch {  // the launch in progress
    const char* kernel = "";
    dim3 grid, block;
    size_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    bool interleaved = false;  // more than one block at a time
    void (*thread)(void*) = nullptr;
    char* parameters = nullptr;
    size_t parameter_bytes = 0;
    Epoch first = 0;   // its first epoch
    Epoch joined = 0;  // what happened in earlier epochs is ordered before it, or before its last grid-wide synchronisation
    void* joined_place = nullptr;  // of that synchronisation
    bool aborted = false;
    Fiber* refused = nullptr;  // its first thread's, which found that the kernel's bounds forbid it: nothing has happened
    void* pc = nullptr;    // where the host makes it
    bool fences = false;  // it uses memory fences
    std::set<u64> misaligned;  // addresses at which an object of alignment 16 or more was to lie, and does not
    std::vector<std::pair<Epoch, u32>> owners;  // from this epoch on, this block runs
};

struct Scheduler {
    void* stack_pointer = nullptr;
    std::vector<Fiber*> idle;
    Order order = Order::kForward;
    u64 random_state = 1;
    u8 lane_order[kWarpLanes];
    u32 position = 0;  // in lane_order
    u32 patience = 0;    // accesses since the thread was resumed
    u32 vain_reads = 0;  // of these, by atomic or volatile accesses that changed nothing
    u64 words_read = 0;  // by them: a bit for each of 64 classes of addresses
    bool changed = false;  // something has in this round of all threads, so nobody spins for ever
};

Scheduler scheduler;
Launch launch;
Block* block = nullptr;  // the block whose thread runs now
u32 thread_index = 0;    // and that thread, in its block
bool in_kernel = false;

// What every access by the running thread is compared with.
struct Now {
    u64 stamp;        // its interval and number, as race cells keep them
    Epoch own_block;  // what happened on the device since, its own block did
    Epoch start, barrier, warp;  // of its block; the last time that its whole warp synchronised
    bool partial;     // some of its warp's lanes have synchronised without the others since
};
Now now;

// Why accesses must take the long way.
enum Attention : u8 { kOnHost = 1, kTracing = 2, kPendingWrite = 4, kOutOfTime = 8, kNaming = 16 };
volatile u8 attention = kOnHost;
inline void attend(Attention why) { attention = attention | why; }
inline void ignore(Attention why) { attention = attention & ~why; }
inline bool tracing() { return attention & kTracing; }  // this block's accesses are recorded for the access model
Epoch current_epoch = 16;

// Only the long way keeps what names both accesses of a race. Once a race is found whose other access is not known, all accesses take it
// for a while: most races come again.
constexpr u32 kNamedAccesses = 1 << 20, kTimesNamed = 8;
struct Naming {
    Epoch since;  // from this epoch on
    u32 left;     // accesses
    u32 times = 0;
} naming;
inline void begin_naming() {
    if (attention & kNaming || naming.times++ >= kTimesNamed) return;
    naming.since = current_epoch + 1;
    naming.left = kNamedAccesses;
    attend(kNaming);
}
inline void count_named_access() {
    if (attention & kNaming && !--naming.left) ignore(kNaming);
}
// Whether all that the running block has done since `epoch` took the long way.
inline bool named_since(Epoch epoch) { return tracing() || (attention & kNaming && epoch >= naming.since); }
int sticky_error = 0, last_error = 0;
int allowed_dynamic_shared = 48 << 10;
int proposed_block = 0;  // the largest that an occupancy query has answered
std::vector<SharedSlot> shared_slots;
char* shared_arena = nullptr;
char *stacks_begin = (char*)~0ull, *stacks_end = nullptr;  // all fibers' stacks lie between

inline u64 random_number() {  // xorshift*: schedules need variety, not quality
    u64& s = scheduler.random_state;
    s ^= s >> 12, s ^= s << 25, s ^= s >> 27;
    return s * 0x2545F4914F6CDD1Dull;
}
void out_of_epochs();
inline Epoch new_epoch() {
    if (++current_epoch == ~0u) [[unlikely]]
        out_of_epochs();
    return current_epoch;
}
inline Thread& current_thread() { return block->threads[thread_index]; }
inline u64 stamp(Epoch epoch, u32 thread) { return epoch | (u64)thread << 45; }

// Epochs say which block they belong to; where blocks take turns, each new one must be written down.
inline Epoch new_epoch_of(const Block* b) {
    const Epoch epoch = new_epoch();
    if (launch.interleaved) launch.owners.push_back({epoch, b->linear});
    return epoch;
}

inline void set_current_thread(Block* b, u32 t) {
    block = b;
    thread_index = t;
    const WarpClock& clock = b->clocks[t / kWarpLanes];
    now = {stamp(b->threads[t].epoch, t), launch.interleaved ? ~0u : b->start, b->start, b->barrier, clock.whole, clock.partial};
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
