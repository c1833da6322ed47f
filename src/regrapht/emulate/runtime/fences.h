// Fences with flags: what a thread did before its fence is released by its next atomic or volatile write, or by that of any thread of its
// block after a barrier; it is acquired by a thread that reads that word by an atomic or volatile access. Accesses ordered that way alone give a warning: whether the protocol is right in
// every schedule is more than one schedule can tell.
#pragma once
#include <memory>
#include <unordered_map>
#include "findings.h"

namespace runtime {
struct Flag;
struct Acquired {  // the first `count` releases of `flag`
    Flag* flag;
    u32 count;
    u32 warp, lanes;  // that know of it, unless the whole block does
    bool block;
};
// Of each thread of a block: what it did before this epoch was fenced before the block's last barrier, by itself or by one who knew of it.
using Fenced = std::shared_ptr<const std::vector<Epoch>>;
struct Release {
    u32 block, thread;
    Epoch own, barrier, warp;  // released: what the thread did before `own`, its warp before `warp`, its block before `barrier`
    bool device;               // or only to its own block
    std::vector<Acquired> inherited;
    Fenced fenced = nullptr;   // the barrier before the release passed on what others had fenced
};
struct Flag {
    std::vector<Release> releases;
    std::unordered_map<u32, std::vector<u32>> of_block;
};
struct Fences {  // of one launch
    std::unordered_map<const char*, Flag> flags;
    std::unordered_map<u64, Release> latest;  // of each thread that has used a fence
    std::unordered_map<u32, std::vector<Acquired>> acquired;  // by block
    std::unordered_map<u32, std::unordered_map<u32, Release>> since_barrier;  // the last device-wide fence of each block's threads
    std::unordered_map<u32, Fenced> before_barrier;                           // what these had fenced before the last one
    u32 releases = 0;
} fences;
constexpr u32 kMaxReleases = 1 << 20, kMaxSteps = 100'000;  // beyond these, accesses count as ordered

inline u64 global_thread() { return (u64)block->linear << 10 | thread_index; }

void fence(bool device) {
    launch.fences = true;
    Thread& thread = current_thread();
    thread.epoch = new_epoch_of(block);
    now.stamp = stamp(thread.epoch, thread_index);
    const Release made{block->linear, thread_index, thread.epoch, block->barrier, now.warp, device, {}};
    fences.latest[global_thread()] = made;
    if (device) fences.since_barrier[block->linear][thread_index] = made;
}

// A barrier of the block: whoever releases after it, releases what the block's threads fenced before it.
void pass_on_fenced(u32 of_block, u32 threads) {
    if (!launch.fences) return;
    std::unordered_map<u32, Release>& made = fences.since_barrier[of_block];
    if (made.empty()) return;
    Fenced& before = fences.before_barrier[of_block];
    auto until = std::make_shared<std::vector<Epoch>>(before ? *before : std::vector<Epoch>(threads));
    Epoch by_block = 0, by_warp[1024 / kWarpLanes] = {};
    for (const auto& [thread, fence] : made) {
        by_block = std::max(by_block, fence.barrier);
        by_warp[thread / kWarpLanes] = std::max(by_warp[thread / kWarpLanes], fence.warp);
        (*until)[thread] = std::max((*until)[thread], fence.own);
    }
    for (u32 t = 0; t < threads; t++) (*until)[t] = std::max({(*until)[t], by_block, by_warp[t / kWarpLanes]});
    before = std::move(until);
    made.clear();
}

inline bool knows(const Acquired& a) {
    return a.block || (a.warp == thread_index / kWarpLanes && a.lanes >> thread_index % kWarpLanes & 1);
}

void acquire(Flag& flag) {
    for (Acquired& a : fences.acquired[block->linear])
        if (a.flag == &flag && (a.block || (knows(a) && !(a.lanes & (a.lanes - 1))))) {
            if (!a.block || a.count == flag.releases.size()) {
                a.count = flag.releases.size();
                return;
            }
        }
    fences.acquired[block->linear].push_back(
        {&flag, (u32)flag.releases.size(), thread_index / kWarpLanes, 1u << thread_index % kWarpLanes, false});
}

// An atomic or volatile access of a word, after its checks.
void strong_access(const char* address, bool reads, bool writes) {
    if (!launch.fences) return;
    auto known = fences.flags.find(address);
    if (reads && known != fences.flags.end()) acquire(known->second);
    if (!writes) return;
    auto latest = fences.latest.find(global_thread());
    auto before = fences.before_barrier.find(block->linear);
    const bool own = latest != fences.latest.end(), passed_on = before != fences.before_barrier.end();
    if ((!own && !passed_on) || fences.releases >= kMaxReleases) return;
    Flag& flag = known != fences.flags.end() ? known->second : fences.flags[address];
    Release release = own ? latest->second : Release{block->linear, thread_index, 0, 0, 0, false, {}};
    if (passed_on) release.fenced = before->second;
    if (!flag.releases.empty()) {
        const Release& last = flag.releases.back();
        const bool nothing_new = last.own == release.own && last.fenced == release.fenced;
        if (last.block == release.block && last.thread == release.thread && nothing_new) return;
    }
    for (const Acquired& a : fences.acquired[block->linear])
        if (knows(a) && a.flag != &flag) release.inherited.push_back(a);
    flag.of_block[release.block].push_back(flag.releases.size());
    flag.releases.push_back(std::move(release));
    fences.releases++;
}

// A barrier tells every thread of the block what one has acquired; a warp's synchronisation tells the lanes that take part.
void share_acquired(u32 of_block) {
    if (!launch.fences) return;
    for (Acquired& a : fences.acquired[of_block]) a.block = true;
}
void share_acquired(u32 of_block, u32 warp, u32 lanes) {
    if (!launch.fences) return;
    for (Acquired& a : fences.acquired[of_block])
        if (a.warp == warp && a.lanes & lanes) a.lanes |= lanes;
}

inline u32 owner_of(Epoch epoch);

inline bool covers(const Release& r, u32 thread, Epoch epoch) {
    if (r.fenced && thread < r.fenced->size() && epoch < (*r.fenced)[thread]) return true;
    if (!r.device && r.block != block->linear) return false;
    return epoch < (thread == r.thread ? r.own : thread / kWarpLanes == r.thread / kWarpLanes ? std::max(r.barrier, r.warp) : r.barrier);
}

// Whether the current thread has acquired what the other access, by `thread` of this launch, released.
bool ordered_by_fence(const char* address, Epoch epoch, u32 thread, bool other_strong, bool strong, bool named) {
    if (fences.releases >= kMaxReleases) return true;
    auto flag_here = fences.flags.find(address);
    if (other_strong && strong && (flag_here != fences.flags.end() || fences.latest.count(global_thread()))) return true;  // the flag itself
    std::vector<Acquired> open;
    for (const Acquired& a : fences.acquired[block->linear])
        if (knows(a)) open.push_back(a);
    if (!named) return !open.empty();
    const u32 other_block = owner_of(epoch);
    std::unordered_map<Flag*, u32> seen;
    u32 steps = 0;
    while (!open.empty()) {
        const Acquired a = open.back();
        open.pop_back();
        if (flag_here != fences.flags.end() && a.flag == &flag_here->second && other_strong) return true;
        u32& from = seen[a.flag];
        auto own = a.flag->of_block.find(other_block);
        if (own != a.flag->of_block.end())
            for (u32 i : own->second)
                if (i < a.count && covers(a.flag->releases[i], thread, epoch)) return true;
        for (u32 i = from; i < a.count; i++) {
            if (++steps > kMaxSteps) return true;
            for (const Acquired& more : a.flag->releases[i].inherited)
                if (seen[more.flag] < more.count) open.push_back(more);
        }
        from = std::max(from, a.count);
    }
    return false;
}

void forget_fences() {
    if (!fences.flags.empty() || !fences.latest.empty()) fences = {};
}
}  // namespace runtime
