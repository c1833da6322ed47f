// Races: two accesses of one word (or byte) by different threads, at least one a write, not both atomic, with no synchronisation between.
//
// Each word of device and shared memory has a cell with its last write and its last read; bytes that are accessed alone get cells of
// their own. A cell names epoch, thread and place of the access, and whether others have done the same at the same time: with that no
// conflict of the executed schedule is lost, however many threads read or write. Only the other thread's place is then that of the last.
#pragma once
#include <algorithm>
#include "access_model.h"
#include "fences.h"
#include "overlap.h"

namespace runtime {
// Bits of an access: epoch 0-31, site 32-44, thread 45-54, then these.
constexpr u64 kAtomic = 1ull << 55, kStrong = 1ull << 56;  // atomic; atomic or volatile
constexpr u64 kWarpMate = 1ull << 57;   // so has another lane of its warp, unsynchronised with it
constexpr u64 kBlockMate = 1ull << 58;  // another warp of its block since the last barrier
constexpr u64 kGridMate = 1ull << 59;   // another block of the launch, or a launch that may overlap
constexpr u64 kMates = kWarpMate | kBlockMate | kGridMate;
constexpr u64 kEpochAndThread = 0xffffffffull | 1023ull << 45;

inline Epoch epoch_of(u64 access) { return (Epoch)access; }
inline u32 thread_of(u64 access) { return access >> 45 & 1023; }
inline u32 site_of(u64 access) { return access >> 32 & 8191; }

struct Cell {
    u64 writer = 0, reader = 0;
};
// In place of a writer: copied from host memory by the candidate; the site is that of the copy.
inline bool copied_from_host(u64 writer) { return writer && !epoch_of(writer); }

// Memory whose accesses are checked. State and written bits are kept for units of 8 bytes.
struct Region {
    char* base = nullptr;
    size_t bytes = 0;
    u8* state = nullptr;    // how many of the unit's bytes may be used, and the flags below
    u8* written = nullptr;  // which of them have a value
    Cell* words = nullptr;
    Cell* single = nullptr;  // of each byte, in units that are kSplit
    bool shared = false;
};
constexpr u8 kAllowed = 15, kWhole = 0x10, kSplit = 0x20, kFreed = 0x40, kHostMayTouch = 0x80;  // kWhole: all 8 bytes have a value
constexpr u8 kPlain = 8 | kWhole;

enum class Relation : u8 { kOrdered, kSameWarp, kSameBlock, kOtherBlock, kOtherLaunch };

// Which block ran in `epoch` of this launch.
inline u32 owner_of(Epoch epoch) {
    auto after = std::upper_bound(launch.owners.begin(), launch.owners.end(), std::pair<Epoch, u32>{epoch, ~0u});
    return after == launch.owners.begin() ? ~0u : std::prev(after)->second;
}
inline bool by_own_block(Epoch epoch, bool shared) {
    return shared ? epoch >= block->start : launch.cooperative ? owner_of(epoch) == block->linear : epoch >= block->start;
}
inline bool ordered_in_warp(Epoch epoch, u32 thread) {
    if (epoch < now.warp) return true;
    return now.partial && epoch < block->clocks[thread / kWarpLanes].since[thread_index % kWarpLanes][thread % kWarpLanes];
}

// How an earlier access relates to one by the current thread now: ordered, or by whom it is not.
inline Relation relation(Epoch epoch, u32 thread, bool shared) {
    if (epoch < (shared ? block->start : launch.joined)) return Relation::kOrdered;
    if (!shared && epoch < launch.first) return launch_ordered(epoch) ? Relation::kOrdered : Relation::kOtherLaunch;
    if (!by_own_block(epoch, shared)) return Relation::kOtherBlock;
    if (thread == thread_index || epoch < block->barrier) return Relation::kOrdered;
    if ((thread ^ thread_index) / kWarpLanes) return Relation::kSameBlock;
    return ordered_in_warp(epoch, thread) ? Relation::kOrdered : Relation::kSameWarp;
}

// The same for an access and those that its flags tell of. `named`: it is the access itself that is not ordered.
inline Relation relation_of_all(u64 access, bool shared, bool& named) {
    const Epoch epoch = epoch_of(access);
    const Relation direct = relation(epoch, thread_of(access), shared);
    named = direct != Relation::kOrdered;
    if (named || !(access & kMates) || epoch < launch.joined) return direct;
    if (access & kGridMate) return Relation::kOtherBlock;
    if (!by_own_block(epoch, shared) || epoch < block->barrier) return Relation::kOrdered;
    if (access & kBlockMate) return Relation::kSameBlock;
    const bool in_step = epoch >= now.warp && epoch >= epoch_of(now.stamp) && !((thread_of(access) ^ thread_index) / kWarpLanes);
    return in_step ? Relation::kSameWarp : Relation::kOrdered;
}

// The flags of an access by the current thread that comes after `old` of the same kind.
inline u64 mates(u64 old, bool shared) {
    const Epoch epoch = epoch_of(old);
    if (!epoch || epoch < (shared ? block->start : launch.joined)) return 0;
    switch (relation(epoch, thread_of(old), shared)) {
        case Relation::kOtherBlock:
        case Relation::kOtherLaunch: return kGridMate;
        case Relation::kSameBlock: return kBlockMate | (old & kGridMate);
        case Relation::kSameWarp: return kWarpMate | (old & (kBlockMate | kGridMate));
        case Relation::kOrdered: break;
    }
    if (!by_own_block(epoch, shared)) return old & kGridMate;
    if (!((old ^ now.stamp) & kEpochAndThread)) return old & kMates;
    return old & (epoch < block->barrier ? kGridMate : kBlockMate | kGridMate);
}

struct PendingWrite {  // a write that conflicts: harmless only if it leaves the bytes as they were, which is known afterwards
    char* address;
    u32 size;
    char before[16];
    const char* kind;
    void *pc, *other_pc;
    std::string detail;
} pending;

void pending_write_done() {
    if (!(attention & kPendingWrite)) return;
    ignore(kPendingWrite);
    const bool same = !memcmp(pending.address, pending.before, pending.size);
    report_finding(same ? "write_same_value" : pending.kind, pending.pc, pending.detail, pending.other_pc);
}

// One access on its way through the checks of its cells.
struct Access {
    char* address;
    u32 size;
    AccessKind kind;
    bool strong;  // atomic or volatile
    u32 site;
    void* pc;
    bool shared;
    bool writes() const { return kind != AccessKind::kLoad; }
    bool atomic() const { return kind == AccessKind::kAtomic; }
    u64 record() const { return now.stamp | (u64)site << 32 | (atomic() ? kAtomic : 0) | (strong ? kStrong : 0); }
};

std::string the_two(const Access& access, u64 other, Relation how, bool other_writes, bool named) {
    const char* whose = how == Relation::kSameWarp    ? " of the same warp"
                        : how == Relation::kSameBlock ? " of another warp"
                        : how == Relation::kOtherBlock ? " of another block"
                                                       : " of a launch in another stream";
    const std::string who = named ? "thread " + std::to_string(thread_of(other)) : "a thread";
    return std::string(access.atomic() ? "atomic update" : access.writes() ? "write" : "read") + " by " + whereabouts() + ", " +
           (other & kAtomic ? "atomic update" : other_writes ? "write" : "read") + " by " + who + whose;
}

[[gnu::noinline]] void conflict(const Access& access, u64 other, bool other_writes, Relation how, bool named) {
    void* const other_pc = sites.places[site_of(other)];
    const std::string detail = the_two(access, other, how, other_writes, named);
    if (launch.fences && ordered_by_fence(access.address, epoch_of(other), thread_of(other), other & kStrong, access.strong, named))
        return report_finding("race_unverified_fence", access.pc, detail, other_pc);
    if (how == Relation::kOtherLaunch) return report_finding("race_streams", access.pc, detail, other_pc);
    if ((access.atomic() && !other_writes) || (other & kAtomic && !access.writes()))
        return report_finding("atomic_and_plain", access.pc, detail, other_pc);
    if (!other_writes) return report_finding(access.shared ? "race_shared_rw" : "race_global_rw", access.pc, detail, other_pc);
    if (!access.writes()) return report_finding(access.shared ? "race_shared_wr" : "race_global_wr", access.pc, detail, other_pc);
    const char* kind = access.shared ? "race_shared_ww" : "race_global_ww";
    if (access.atomic() || other & kAtomic) return report_finding(kind, access.pc, detail, other_pc);
    if (attention & kPendingWrite || access.size > sizeof pending.before) return;
    pending = {access.address, access.size, {}, kind, access.pc, other_pc, detail};
    memcpy(pending.before, access.address, access.size);
    attend(kPendingWrite);
}

inline void check_cell(Cell& cell, const Access& access) {
    bool named;
    const u64 writer = cell.writer, record = access.record();
    if (epoch_of(writer) && !(access.atomic() && writer & kAtomic)) {
        const Relation how = relation_of_all(writer, access.shared, named);
        if (how != Relation::kOrdered) conflict(access, writer, true, how, named);
    }
    if (!access.writes()) {
        cell.reader = record | mates(cell.reader, access.shared);
        return;
    }
    if (const u64 reader = cell.reader; epoch_of(reader)) {
        const Relation how = relation_of_all(reader, access.shared, named);
        if (how != Relation::kOrdered) conflict(access, reader, false, how, named);
    }
    // Atomic updates are ordered among themselves, so only plain writes have mates: after a conflict, which is known by now.
    cell.writer = record | (access.atomic() || writer & kAtomic || !epoch_of(writer) ? 0 : mates(writer, access.shared));
}

// The first access of a part of a unit: from now on each of its bytes has a cell.
[[gnu::noinline]] void split(const Region& region, size_t unit) {
    region.state[unit] |= kSplit;
    for (u32 byte = 0; byte < 8; byte++) region.single[unit * 8 + byte] = region.words[unit * 2 + byte / 4];
}

// Checks an access that lies inside what may be used. `needs_value`: what it touches must have been written before.
[[gnu::noinline]] void check_races(const Region& region, size_t offset, const Access& access, bool needs_value) {
    bool unwritten = false;
    for (size_t at = offset, end = offset + access.size; at < end;) {
        const size_t unit = at >> 3, stop = std::min(end, (unit + 1) << 3);
        const u32 mask = ((1u << (stop - at)) - 1) << (at & 7);
        if (region.written) {
            unwritten |= (region.written[unit] & mask) != mask;
            if (access.writes() && (region.written[unit] |= mask) == 0xff) region.state[unit] |= kWhole;
        }
        if (!(region.state[unit] & kSplit) && (at | stop) & 3) split(region, unit);
        const bool alone = region.state[unit] & kSplit;
        for (; at < stop; at += alone ? 1 : 4) check_cell(alone ? region.single[at] : region.words[at / 4], access);
    }
    if (unwritten && needs_value) report_finding(access.shared ? "uninit_read_shared" : "uninit_read_global", access.pc, whereabouts());
}

// --- The short way: what most accesses are. False: not certain, take the long way (which may repeat what was done here).
// `joined`: what happened before is ordered; `own_block`: what happened since then, the own block did.
[[gnu::always_inline]] inline bool surely_ordered(u64 access, Epoch own_block) {
    const Epoch epoch = epoch_of(access);
    if (epoch < own_block || access & kGridMate) return false;
    if (epoch < now.barrier) return true;
    const u64 other = (access ^ now.stamp) >> 45 & 1023;
    return other == 0 ? !(access & kMates) : other < kWarpLanes && epoch < now.warp && !(access & kBlockMate);
}

[[gnu::always_inline]] inline bool quick_read(Cell& cell, u64 site, Epoch joined, Epoch own_block) {
    const u64 reader = cell.reader, writer = cell.writer;
    if (!((reader ^ now.stamp) & kEpochAndThread)) return true;  // read before in this interval; a write since would have been reported
    if (epoch_of(writer) >= joined && !surely_ordered(writer, own_block)) return false;
    u64 flags = 0;
    if (const Epoch epoch = epoch_of(reader); epoch >= joined) {
        if (epoch < own_block) {
            if (own_block == ~0u) return false;
            flags = kGridMate;
        } else if (epoch < now.barrier) {
            flags = reader & kGridMate;
        } else if ((reader ^ now.stamp) >> 45 & 1023 & ~(u64)(kWarpLanes - 1)) {
            flags = kBlockMate | (reader & kGridMate);
        } else {
            if (now.partial) return false;
            flags = reader & (kBlockMate | kGridMate);
            if (epoch >= now.warp && (reader ^ now.stamp) >> 45 & 1023) flags |= kWarpMate;
        }
    }
    cell.reader = now.stamp | site | flags;
    return true;
}

[[gnu::always_inline]] inline bool quick_write(Cell& cell, u64 site, Epoch joined, Epoch own_block) {
    const u64 reader = cell.reader, writer = cell.writer;
    if (epoch_of(writer) >= joined && !surely_ordered(writer, own_block)) return false;
    if (epoch_of(reader) >= joined && !surely_ordered(reader, own_block)) return false;
    cell.writer = now.stamp | site;
    return true;
}
}  // namespace runtime
