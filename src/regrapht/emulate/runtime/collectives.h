// Warp functions: a group of lanes goes on when every live lane of its mask waits at the same operation.
#pragma once
#include "fences.h"

namespace runtime {
inline bool has(u32 mask, u32 lane) { return mask >> lane & 1; }

// The lane that a shuffle reads from; its own where the source lies outside its segment.
inline u32 shuffle_source(const Thread& thread, u32 lane) {
    const int width = thread.width, base = (int)lane / width * width, self = (int)lane;
    int source = self;
    switch (thread.operation) {
        case kWarpShuffle: source = base + (thread.argument & (width - 1)); break;
        case kWarpShuffleUp: source = self - thread.argument; break;
        case kWarpShuffleDown: source = self + thread.argument; break;
        case kWarpShuffleXor: source = self ^ thread.argument; break;
    }
    // xor may reach down into an earlier segment, never up into a later one (as the hardware clamps it).
    const int lowest = thread.operation == kWarpShuffleXor ? 0 : base;
    return source < lowest || source >= base + width ? lane : (u32)source;
}

inline u64 reduce_lanes(int operation, const Thread* lanes, u32 group) {
    bool first = true;
    u32 result = 0;
    for (u32 lane = 0; lane < kWarpLanes; lane++) {
        if (!has(group, lane)) continue;
        const u32 v = (u32)lanes[lane].value;
        if (first) {
            result = v, first = false;
            continue;
        }
        switch (operation) {
            case kWarpAdd: result += v; break;
            case kWarpMinSigned: result = (u32)std::min((int)result, (int)v); break;
            case kWarpMaxSigned: result = (u32)std::max((int)result, (int)v); break;
            case kWarpMinUnsigned: result = std::min(result, v); break;
            case kWarpMaxUnsigned: result = std::max(result, v); break;
            case kWarpAnd: result &= v; break;
            case kWarpOr: result |= v; break;
            case kWarpXor: result ^= v; break;
        }
    }
    return result;
}

inline u32 lanes_with_value(const Thread* lanes, u32 group, u64 value) {
    u32 found = 0;
    for (u32 lane = 0; lane < kWarpLanes; lane++)
        if (has(group, lane) && lanes[lane].value == value) found |= 1u << lane;
    return found;
}

// Gives every lane of `group` its result.
inline void perform(Thread* lanes, u32 group) {
    const int operation = lanes[__builtin_ctz(group)].operation;
    u64 common = 0;
    if (operation == kWarpBallot)
        common = group & ~lanes_with_value(lanes, group, 0);
    else if (operation >= kWarpAdd)
        common = reduce_lanes(operation, lanes, group);
    else if (operation == kWarpMatchAll)
        common = lanes_with_value(lanes, group, lanes[__builtin_ctz(group)].value) == group ? group : 0;
    for (u32 lane = 0; lane < kWarpLanes; lane++) {
        if (!has(group, lane)) continue;
        Thread& thread = lanes[lane];
        thread.result = common;
        if (operation == kWarpMatchAny) thread.result = lanes_with_value(lanes, group, thread.value);
        if (operation < kWarpShuffle || operation > kWarpShuffleXor) continue;
        const u32 source = shuffle_source(thread, lane);
        thread.result = lanes[source].value;
        if (has(group, source)) continue;
        thread.result = 0xdeadbeefdeadbeefull;
        report_finding("shuffle_inactive_source", thread.pc,
                       "lane " + std::to_string(lane) + " reads lane " + std::to_string(source));
    }
}

// The lanes that take part together with `lane`, or 0 when some are still on their way. Lanes that have exited are left out.
inline u32 complete_group(const Thread* lanes, u32 present, u32 lane) {
    const Thread& asked = lanes[lane];
    u32 group = 0;
    for (u32 other = 0; other < kWarpLanes; other++) {
        if (!has(asked.mask, other) || !has(present, other) || lanes[other].state == ThreadState::kDone) continue;
        const Thread& candidate = lanes[other];
        if (candidate.state != ThreadState::kInWarp || candidate.operation != asked.operation || candidate.mask != asked.mask)
            return 0;
        group |= 1u << other;
    }
    if (group != asked.mask && asked.operation != kWarpSync)
        report_finding("warp_mask_exited_lane", asked.pc, "lanes of the mask have exited or do not exist");
    return group;
}

// What the lanes of `group` have done is ordered before what each of them will do, with all that they knew of others.
void synchronise_lanes(Block* b, u32 warp, u32 group, u32 present) {
    const Epoch epoch = new_epoch_of(b);
    WarpClock& clock = b->clocks[warp];
    for (u32 lane = 0; lane < kWarpLanes; lane++)
        if (has(group, lane)) b->threads[warp * kWarpLanes + lane].epoch = epoch;
    if (group == present) {
        clock.whole = epoch, clock.partial = false;
        clock.place = b->threads[warp * kWarpLanes + __builtin_ctz(group)].pc;
        return share_acquired(b->linear, warp, group);
    }
    if (!clock.partial) std::fill(&clock.since[0][0], &clock.since[0][0] + kWarpLanes * kWarpLanes, clock.whole);
    clock.partial = true;
    Epoch known[kWarpLanes] = {};
    for (u32 lane = 0; lane < kWarpLanes; lane++)
        for (u32 other = 0; has(group, lane) && other < kWarpLanes; other++)
            known[other] = has(group, other) ? epoch : std::max(known[other], clock.since[lane][other]);
    for (u32 lane = 0; lane < kWarpLanes; lane++)
        if (has(group, lane)) std::copy(known, known + kWarpLanes, clock.since[lane]);
    share_acquired(b->linear, warp, group);
}

// Lets every complete group of one warp go on; false when none was complete.
bool resolve_warp(Block* b, u32 warp) {
    bool progress = false;
    const u32 first = warp * kWarpLanes, count = std::min(kWarpLanes, b->threads_total - first);
    const u32 present = count == kWarpLanes ? ~0u : (1u << count) - 1;
    Thread* const lanes = b->threads.data() + first;
    for (u32 lane = 0; lane < count; lane++) {
        if (lanes[lane].state != ThreadState::kInWarp) continue;
        u32 group = 0;
        if (lanes[lane].operation == kWarpActiveMask) {  // all that wait at the same place: one legal outcome of several
            for (u32 other = lane; other < count; other++)
                if (lanes[other].state == ThreadState::kInWarp && lanes[other].operation == kWarpActiveMask &&
                    lanes[other].pc == lanes[lane].pc)
                    group |= 1u << other;
            for (u32 other = lane; other < count; other++)
                if (has(group, other)) lanes[other].result = group;
        } else {
            group = complete_group(lanes, present, lane);
            if (!group) continue;
            perform(lanes, group);
            if (lanes[lane].operation == kWarpSync) synchronise_lanes(b, warp, group, present);
            else share_acquired(b->linear, warp, group);  // a value travels, memory is not ordered
        }
        for (u32 other = 0; other < count; other++)
            if (has(group, other)) lanes[other].state = ThreadState::kReady;
        progress = scheduler.changed = true;
    }
    return progress;
}
}  // namespace runtime
