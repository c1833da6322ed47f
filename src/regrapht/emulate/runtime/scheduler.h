// Runs the threads of one launch to the end: warps in turn, lanes of a warp in turn, each until it must wait.
#pragma once
#include "async_copies.h"
#include "collectives.h"
#include "fibers.h"

namespace runtime {
inline void arrange_lanes(u32 count) {
    u8* order = scheduler.lane_order;
    for (u32 i = 0; i < count; i++) order[i] = scheduler.order == Order::kReverse ? count - 1 - i : i;
    if (scheduler.order != Order::kRandom) return;
    for (u32 i = count; i > 1; i--) std::swap(order[i - 1], order[random_number() % i]);
}

// 0 .. count-1 in the order of the schedule.
std::vector<u32> arranged(u32 count) {
    std::vector<u32> order(count);
    for (u32 i = 0; i < count; i++) order[i] = scheduler.order == Order::kReverse ? count - 1 - i : i;
    if (scheduler.order == Order::kRandom)
        for (u32 i = count; i > 1; i--) std::swap(order[i - 1], order[random_number() % i]);
    return order;
}

bool run_warp(Block* b, u32 warp) {
    bool progress = false;
    const u32 first = warp * kWarpLanes, count = std::min(kWarpLanes, b->threads_total - first);
    do {
        arrange_lanes(count);
        for (scheduler.position = 0; scheduler.position < count; scheduler.position++) {
            const u32 t = first + scheduler.lane_order[scheduler.position];
            if (b->threads[t].state != ThreadState::kNew && b->threads[t].state != ThreadState::kReady) continue;
            progress = true;
            resume(b, t);
            if (launch.aborted) return true;
        }
    } while (resolve_warp(b, warp) && (progress = true));
    return progress;
}

// All threads of a block have synchronised, at `place`.
void begin_interval(Block* b, void* place) {
    b->barrier = new_epoch_of(b);
    b->barrier_place = place;
    for (WarpClock& clock : b->clocks) clock.whole = b->barrier, clock.partial = false, clock.place = place;
    for (Thread& thread : b->threads) thread.epoch = b->barrier;
    share_acquired(b->linear);
    pass_on_fenced(b->linear, b->threads_total);
}

void release_barrier(Block* b, const Thread& first_waiting, const Thread* elsewhere, u32 waiting) {
    if (elsewhere)
        report_finding("barrier_divergence", first_waiting.pc, "block (" + std::to_string(b->index.x) + "," + std::to_string(b->index.y) +
                                                                   "," + std::to_string(b->index.z) + ")",
                       elsewhere->pc);
    if (b->exited)
        report_finding(b->exited_late ? "barrier_skipped" : "barrier_after_exit", first_waiting.pc,
                       std::to_string(b->exited) + " of " + std::to_string(b->threads_total) + " threads had returned");
    u32 agreeing = 0;
    for (u32 t = 0; t < b->threads_total; t++) agreeing += b->threads[t].state == ThreadState::kAtBarrier && b->threads[t].predicate;
    for (u32 t = 0; t < b->threads_total; t++) {
        Thread& thread = b->threads[t];
        if (thread.state != ThreadState::kAtBarrier) continue;
        thread.result = thread.operation == kBarrierCount ? agreeing : thread.operation == kBarrierAnd ? agreeing == waiting : agreeing > 0;
        thread.state = ThreadState::kReady;
    }
    begin_interval(b, first_waiting.pc);
    scheduler.changed = true;
    kernel->barriers++;
    if (tracing())
        for (u32 w = 0; w < b->warps; w++) count_warp(w);
}

// One turn of every warp of a block; true when anything moved. Counts threads that wait for the whole grid.
bool run_block(Block* b, u64& at_grid_sync) {
    bool progress = false;
    for (u32 warp : arranged(b->warps)) {
        progress |= run_warp(b, warp);
        if (launch.aborted) return true;
    }
    u32 waiting = 0;
    const Thread *first = nullptr, *elsewhere = nullptr;  // the first that waits, and one that waits at another barrier
    for (u32 t = 0; t < b->threads_total; t++) {
        Thread& thread = b->threads[t];
        thread.spins = false;
        if (thread.state == ThreadState::kAtBarrier) {
            waiting++;
            if (!first) first = &thread;
            if (thread.barrier_place != first->barrier_place) elsewhere = &thread;
        } else if (thread.state == ThreadState::kYielded) {
            thread.state = ThreadState::kReady;
            thread.spins = progress = true;
        } else if (thread.state == ThreadState::kAtGridSync) {
            at_grid_sync++;
        }
    }
    if (waiting && waiting + b->exited == b->threads_total) {
        release_barrier(b, *first, elsewhere, waiting);
        progress = true;
    }
    return progress;
}

Block* traced_resident = nullptr;  // the block of a cooperative launch whose accesses are recorded, one for all

void release_grid(std::vector<Block*>& blocks) {
    launch.joined = new_epoch();
    for (u32 w = 0; traced_resident && w < traced_resident->warps; w++) count_warp(w);
    scheduler.changed = true;
    launch.joined_place = blocks[0]->threads[0].pc;
    for (Block* b : blocks) {
        begin_interval(b, launch.joined_place);
        for (u32 t = 0; t < b->threads_total; t++)
            if (b->threads[t].state == ThreadState::kAtGridSync) b->threads[t].state = ThreadState::kReady;
    }
}

[[gnu::noinline]] void give_up_on(Block* b, u32 t, const char* kind, const char* what) {
    set_current_thread(b, t);
    report_finding(kind, b->threads[t].pc, whereabouts() + what);
    sticky_error = cudaErrorLaunchTimeout;
    launch.aborted = true;
}

// Nobody can go on: names the first thread that waits where others will never come, and one of the others.
void report_deadlock(const std::vector<Block*>& blocks) {
    Block* at_grid = nullptr;
    u32 grid_thread = 0;
    for (Block* b : blocks)
        for (u32 t = 0; t < b->threads_total; t++) {
            const ThreadState state = b->threads[t].state;
            if (state == ThreadState::kDone) continue;
            if (state != ThreadState::kAtGridSync)
                return give_up_on(b, t, state == ThreadState::kInWarp ? "warp_deadlock" : "barrier_deadlock", " waits");
            if (!at_grid) at_grid = b, grid_thread = t;
        }
    if (at_grid) give_up_on(at_grid, grid_thread, "grid_sync_deadlock", " waits for blocks or threads that have returned");
}

void report_livelock(const std::vector<Block*>& blocks) {
    for (Block* b : blocks)
        for (u32 t = 0; t < b->threads_total; t++)
            if (b->threads[t].spins) return give_up_on(b, t, "livelock", " waits for a value that no thread which runs will write");
}

bool run_earlier_blocks(Block* stuck);

// Runs blocks that are resident together (one, or all of a cooperative launch) until all their threads have finished.
void run_together(std::vector<Block*>& blocks) {
    u32 idle_rounds = 0;
    for (bool unfinished = true; unfinished;) {
        bool progress = false;
        unfinished = scheduler.changed = false;
        u64 at_grid_sync = 0, alive = 0;
        for (Block* b : blocks) {
            if (b->exited == b->threads_total) continue;
            if (launch.cooperative) b == traced_resident ? attend(kTracing) : ignore(kTracing);
            progress |= run_block(b, at_grid_sync);
            if (launch.aborted) return;
            alive += b->threads_total - b->exited;
            unfinished |= b->exited < b->threads_total;
        }
        const bool all_blocks = std::all_of(blocks.begin(), blocks.end(), [](Block* b) { return b->exited < b->threads_total; });
        if (at_grid_sync && at_grid_sync == alive && all_blocks) {
            release_grid(blocks);
            progress = true;
        }
        if (!unfinished) return;
        if (!progress) return report_deadlock(blocks);
        idle_rounds = scheduler.changed ? 0 : idle_rounds + 1;
        if (idle_rounds < kIdleRounds) continue;
        if (launch.cooperative || !run_earlier_blocks(blocks[0])) return report_livelock(blocks);
        if (launch.aborted) return;
        idle_rounds = 0;
    }
}

void start_block(Block* b, u32 linear, char* shared) {
    b->linear = linear;
    b->index = dim3(linear % launch.grid.x, linear / launch.grid.x % launch.grid.y, linear / launch.grid.x / launch.grid.y);
    b->threads_total = launch.block.x * launch.block.y * launch.block.z;
    b->warps = (b->threads_total + kWarpLanes - 1) / kWarpLanes;
    b->threads.resize((size_t)b->warps * kWarpLanes);
    for (Thread& thread : b->threads) thread.state = ThreadState::kNew;
    b->start = new_epoch();
    if (kChecked) launch.owners.push_back({b->start, linear});
    b->barrier = b->start;
    b->clocks.resize(b->warps);
    b->barrier_place = nullptr;
    for (WarpClock& clock : b->clocks) clock.whole = b->start, clock.partial = false, clock.place = nullptr;
    for (Thread& thread : b->threads) thread.epoch = b->start, thread.copies.clear(), thread.copy_groups = 0;
    b->exited = b->exited_late = 0;
    b->shared = shared;
    if (kChecked) close_shared(shared), forget_copies(shared);
    b->slot_offset.assign(shared_slots.size(), 0);
    b->shared_used = 64;
    b->dynamic_offset = b->static_shared_bytes = 0;
}

void run_cooperative(u32 total) {
    std::vector<Block*> blocks;
    for (u32 i = 0; i < total; i++) {
        blocks.push_back(new Block);
        start_block(blocks[i], i, shared_arena + i * kSharedStride);
    }
    begin_block_trace(blocks[0], total);
    traced_resident = tracing() ? blocks[0] : nullptr;
    run_together(blocks);
    ignore(kTracing);
    Block* const traced = std::exchange(traced_resident, nullptr);
    if (launch.aborted && !launch.refused) return;
    if (traced) {
        attend(kTracing);
        end_block_trace(traced);
    }
    for (Block* b : blocks) delete b;
}

std::vector<bool> begun;  // which blocks of the launch, where they run one by one and not in ascending order

struct Waiting {
    u32 thread;
    void* pc;
};
std::optional<Waiting> waited;  // who waited for a block of a lower number

Waiting first_that_spins(Block* b) {
    u32 t = 0;
    while (t + 1 < b->threads_total && !b->threads[t].spins) t++;
    return {t, b->threads[t].pc};
}

// Those with lower numbers than one that waits, one after the other beside it: CUDA promises no order of blocks, but devices begin with the
// lowest, and programs rest on that. False where there are none, so that nobody can change what it waits for.
bool run_earlier_blocks(Block* stuck) {
    static Block* beside = new Block;
    bool ran = false;
    const bool traced = tracing();
    ignore(kTracing);
    for (u32 linear = 0; linear < stuck->linear && linear < begun.size() && !launch.aborted; linear++) {
        if (begun[linear]) continue;
        if (!ran) waited = first_that_spins(stuck);
        begun[linear] = ran = launch.interleaved = true;
        std::vector<Block*> one{beside};
        start_block(beside, linear, shared_arena + kSharedStride);
        run_together(one);
    }
    if (launch.aborted) beside = new Block;
    if (traced && !launch.aborted) attend(kTracing);
    return ran;
}

void run_one_by_one(u32 total) {
    static Block* reused = new Block;
    std::vector<Block*> one{reused};
    std::vector<u32> order;
    begun.assign(scheduler.order == Order::kForward ? 0 : total, false);
    if (scheduler.order == Order::kRandom) order = arranged(total);
    for (u32 i = 0; i < total && !launch.aborted; i++) {
        const u32 linear = !order.empty() ? order[i] : scheduler.order == Order::kReverse ? total - 1 - i : i;
        if (!begun.empty()) {
            if (begun[linear]) continue;
            begun[linear] = true;
        }
        start_block(reused, linear, shared_arena);
        begin_block_trace(reused, total);
        waited.reset();
        run_together(one);
        if (waited && !launch.aborted) {  // and has what it waited for
            set_current_thread(reused, waited->thread);
            report_finding("block_order", waited->pc, whereabouts());
        }
        end_block_trace(reused);
    }
    if (launch.aborted && !launch.refused) {  // its fibers are left where they stopped
        ignore(kTracing);
        reused = new Block;
    }
}
}  // namespace runtime
