// What two accesses without an order between them are reported as, and with which circumstances.
#pragma once
#include "lost_accesses.h"

namespace runtime {
struct PendingWrite {  // a write that conflicts: harmless only if it leaves the bytes as they were, which is known afterwards
    char* address;
    u32 size;
    char before[16];
    const char* kind;
    void *pc, *other_pc;
    std::string detail;
    Circumstances circumstances;
} pending;

void pending_write_done() {
    if (!(attention & kPendingWrite)) return;
    ignore(kPendingWrite);
    const bool same = !memcmp(pending.address, pending.before, pending.size);
    report_race(same ? "write_same_value" : pending.kind, pending.pc, pending.detail, pending.other_pc, pending.circumstances);
}

std::string done(u64 access, bool writes) { return access & kAtomic ? "atomic update by " : writes ? "write by " : "read by "; }

std::string doer(const Operation& operation) { return *operation.kernel ? std::string(operation.kernel) + "()" : "a transfer"; }
std::string in_other_stream(u64 access, bool writes) {
    return done(access, writes) + doer(*operation_of(epoch_of(access))) + " in another stream";
}

std::string the_two(const Access& access, u64 other, Relation how, bool other_writes, bool named) {
    const char* whose = how == Relation::kSameWarp    ? " of the same warp"
                        : how == Relation::kSameBlock ? " of another warp"
                                                      : " of another block";
    const std::string who = named ? "thread " + std::to_string(thread_of(other)) : "a thread";
    return std::string(access.atomic() ? "atomic update" : access.writes() ? "write" : "read") + " by " + whereabouts() + ", " +
           (how == Relation::kOtherLaunch ? in_other_stream(other, other_writes) : done(other, other_writes) + who + whose);
}

Circumstances circumstances(Relation how, u64 other) {
    if (how == Relation::kSameWarp && !(other & kBlockMate)) return {Scope::kWarp, block->clocks[thread_index / kWarpLanes].place};
    if (how == Relation::kSameWarp || how == Relation::kSameBlock) return {Scope::kBlock, block->barrier_place};
    if (how == Relation::kOtherLaunch) return {Scope::kStreams, nullptr, false, {launch.pc, operation_of(epoch_of(other))->pc}};
    return launch.cooperative ? Circumstances{Scope::kGrid, launch.joined_place} : Circumstances{Scope::kBlocks};
}

[[gnu::noinline]] void conflict(const Access& access, u64 other, bool other_writes, Relation how, bool named) {
    void* const other_pc = sites.places[site_of(other)];
    const std::string detail = the_two(access, other, how, other_writes, named);
    Circumstances when = circumstances(how, other);
    when.guess = !named && !named_since(block->barrier);
    if (when.guess) begin_naming();
    if (launch.fences && ordered_by_fence(access.address, epoch_of(other), thread_of(other), other & kStrong, access.strong, named))
        return report_race("race_unverified_fence", access.pc, detail, other_pc, when);
    if (how == Relation::kOtherLaunch) return report_race("race_streams", access.pc, detail, other_pc, when);
    if ((access.atomic() && !other_writes) || (other & kAtomic && !access.writes()))
        return report_race("atomic_and_plain", access.pc, detail, other_pc, when);
    if (!other_writes) return report_race(access.shared ? "race_shared_rw" : "race_global_rw", access.pc, detail, other_pc, when);
    if (!access.writes()) return report_race(access.shared ? "race_shared_wr" : "race_global_wr", access.pc, detail, other_pc, when);
    const char* kind = access.shared ? "race_shared_ww" : "race_global_ww";
    if (access.atomic() || other & kAtomic) return report_race(kind, access.pc, detail, other_pc, when);
    if (attention & kPendingWrite || access.size > sizeof pending.before) return;
    pending = {access.address, access.size, {}, kind, access.pc, other_pc, detail, when};
    memcpy(pending.before, access.address, access.size);
    attend(kPendingWrite);
}

// Whether an access conflicts with what a cell no longer names.
[[gnu::noinline]] bool conflict_with_lost(const Access& access, const std::vector<u64>& lost) {
    bool found = false;
    for (const u64 other : lost) {
        const bool updates = other & kAtomic;
        if (!(access.writes() || updates) || (access.atomic() && updates) || operation_ordered(epoch_of(other))) continue;
        conflict(access, other, updates, Relation::kOtherLaunch, true);
        found = true;
    }
    return found;
}

// A write against what has read the word. Where the last reader is ordered before it, one that was replaced is named if that can be.
[[gnu::noinline]] void conflict_with_readers(const Access& access, u64 reader, u64 replaced, Relation how, bool named) {
    if (!named && epoch_of(replaced)) {
        const Relation other = relation(epoch_of(replaced), thread_of(replaced), access.shared);
        if (other != Relation::kOrdered) return conflict(access, replaced, false, other, true);
    }
    conflict(access, reader, false, how, named);
}
}  // namespace runtime
