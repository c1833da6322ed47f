// Races: two accesses of one word (or byte) by different threads, at least one a write, not both atomic, with no synchronisation between.
#pragma once
#include "conflicts.h"

namespace runtime {
inline bool same_thread_and_interval(u64 a, u64 b) { return !((a ^ b) & kEpochAndThread); }

// A read after `cell.reader`; the first of a thread between two synchronisations is kept.
inline void keep_reader(Cell& cell, u64& replaced, u64 record, bool shared) {
    const u64 old = cell.reader;
    if (same_thread_and_interval(old, record) && !((old ^ record) & kStrong)) return;
    Relation how;
    cell.reader = record | mates(old, shared, how);
    if (how == Relation::kOtherLaunch)
        lose(replaced, old);
    else if (how != Relation::kOrdered && site_of(old) != site_of(record) && !lost_set(replaced))
        replaced = old;
    if (lost_set(replaced)) cell.reader |= kLost;
}

inline bool may_overlap(Epoch epoch) { return epoch >= launch.joined && epoch < launch.first && !operation_ordered(epoch); }

inline void check_cell(Cell& cell, u64& replaced, const Access& access) {
    bool named;
    const u64 writer = cell.writer, record = access.record();
    const bool atomic_for_both = !((record | writer) & kOfBlock) || by_own_block(epoch_of(writer), access.shared);
    const bool both_atomic = access.atomic() && writer & kAtomic && atomic_for_both;
    const bool told = lost_set(replaced) && conflict_with_lost(access, lost_of(replaced));
    if (epoch_of(writer) && !both_atomic) {
        const Relation how = relation_of_all(writer, access.shared, named);
        if (how != Relation::kOrdered && (named || !told)) conflict(access, writer, true, how, named);
    }
    if (!access.writes()) {
        keep_reader(cell, replaced, record, access.shared);
        return;
    }
    if (const u64 reader = cell.reader; epoch_of(reader)) {
        const Relation how = relation_of_all(reader, access.shared, named);
        if (how != Relation::kOrdered && (named || !told)) conflict_with_readers(access, reader, replaced, how, named);
    }
    // Atomic updates are ordered among themselves, so of one launch only plain writes have mates: after a conflict, which is known by now.
    Relation before;
    cell.writer = record | (access.atomic() || writer & kAtomic || !epoch_of(writer) ? 0 : mates(writer, access.shared, before));
    // An atomic update by a stream to come may be ordered with neither and conflict with the plain write alone: that is not to be forgotten.
    const bool hides_plain = access.atomic() && !both_atomic && epoch_of(writer) && epoch_of(writer) < launch.first;
    if (!access.shared && (hides_plain || (both_atomic && may_overlap(epoch_of(writer))))) lose(replaced, writer);
    if (both_atomic && by_own_block(epoch_of(writer), access.shared)) cell.writer |= writer & kOfBlock;
    if (lost_set(replaced)) cell.writer |= kLost;
}

// The first access of a part of a unit: from now on each of its bytes has a cell.
[[gnu::noinline]] void split(const Region& region, size_t unit) {
    region.state[unit] |= kSplit;
    for (u32 byte = 0; byte < 8; byte++) {
        region.single[unit * 8 + byte] = region.words[unit * 2 + byte / 4];
        region.single_readers[unit * 8 + byte] = region.word_readers[unit * 2 + byte / 4];
    }
}

// Visits the cells of a range, as far as it lies in the region, each with what it has replaced and how many bytes it stands for.
template <class Visit>
void for_cells(const Region& r, size_t at, size_t bytes, Visit visit) {
    for (const size_t end = std::min(at + bytes, r.bytes); at < end;) {
        const bool part = at & 3 || end - at < 4;
        if (part && !(r.state[at >> 3] & kSplit)) split(r, at >> 3);
        const bool alone = r.state[at >> 3] & kSplit;
        if (alone) visit(r.single[at], r.single_readers[at], 1u);
        else visit(r.words[at / 4], r.word_readers[at / 4], 4u);
        at += alone ? 1 : 4;
    }
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
        Cell* cell = alone ? region.single + at : region.words + at / 4;
        u64* replaced = alone ? region.single_readers + at : region.word_readers + at / 4;
        for (; at < stop; at += alone ? 1 : 4) check_cell(*cell++, *replaced++, access);
    }
    if (unwritten && needs_value) report_finding(access.shared ? "uninit_read_shared" : "uninit_read_global", access.pc, whereabouts());
}

// --- The short way: what most accesses are. False: not certain, take the long way (which may repeat what was done here).
// `joined`: what happened before is ordered; `own_block`: what happened since then, the own block did.
[[gnu::always_inline]] inline bool surely_ordered(u64 access, Epoch own_block) {
    const Epoch epoch = epoch_of(access);
    if (epoch < own_block || access & kFar) return false;
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
            if (own_block == ~0u || epoch < launch.first) return false;
            flags = kGridMate;
        } else if (epoch < now.barrier) {
            flags = reader & kFar;
        } else if ((reader ^ now.stamp) >> 45 & 1023 & ~(u64)(kWarpLanes - 1)) {
            flags = kBlockMate | (reader & kFar);
        } else {
            if (now.partial) return false;
            flags = reader & (kBlockMate | kFar);
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
