// Races: two accesses of one 4-byte word by different threads, at least one a write, not both atomic, with no synchronisation between.
//
// Each word remembers its last writer and its last reader. An epoch says in which interval between synchronisations an access
// happened; epochs are handed out in order and never wrap within a call, so no number of launches or barriers can be mistaken for another.
// One writer and one reader are remembered, with the bytes they touched: some race per word is found, not all.
#pragma once
#include <algorithm>
#include "access_model.h"
#include "findings.h"

namespace runtime {
struct Writer {
    u64 epoch : 32, site : 13, thread : 10, bytes : 4, initialised : 4, atomic : 1;
};
struct Reader {
    u64 epoch : 32, site : 13, thread : 10, bytes : 4, also_in_warp : 1, also_in_block : 1, also_in_grid : 1;
};
struct Cell {
    Writer writer;
    Reader reader;
};
static_assert(sizeof(Cell) == 16);
const Cell kWrittenByHost{{0, 0, 0, 0, 15, 0}, {}};

enum class Relation : u8 { kOrdered, kSameWarp, kSameBlock, kOtherBlock };

// Which block ran in `epoch` of this launch.
inline u32 owner_of(Epoch epoch) {
    auto after = std::upper_bound(launch.owners.begin(), launch.owners.end(), std::pair<Epoch, u32>{epoch, ~0u});
    return after == launch.owners.begin() ? ~0u : std::prev(after)->second;
}

// How an earlier access relates to one by the current thread now: ordered, or by whom it is not.
inline Relation relation(Epoch epoch, u32 thread, bool shared) {
    if (epoch < launch.epoch) return Relation::kOrdered;
    const bool same_block = launch.cooperative ? shared || owner_of(epoch) == block->linear : epoch >= block->start;
    if (!same_block) return shared ? Relation::kOrdered : Relation::kOtherBlock;
    if (thread == thread_index || epoch < block->barrier) return Relation::kOrdered;
    if ((thread ^ thread_index) / kWarpLanes) return Relation::kSameBlock;
    return epoch == block->warp_epoch[thread / kWarpLanes] ? Relation::kSameWarp : Relation::kOrdered;
}

// "The last block adds up": the other block fenced, and this one has seen an atomic operation since.
inline bool ordered_by_fence(Epoch epoch) {
    const u32 other = owner_of(epoch);
    return block->used_atomics && other < launch.fenced.size() && launch.fenced[other];
}

struct PendingWrite {  // a write that conflicts: harmless only if it leaves the bytes as they were, which is known afterwards
    bool active = false;
    char* address;
    u32 size;
    char before[16];
    const char* kind;
    void *pc, *other_pc;
    std::string detail;
} pending;

void pending_write_done() {
    if (!pending.active) return;
    pending.active = false;
    const bool same = !memcmp(pending.address, pending.before, pending.size);
    report_finding(same ? "write_same_value" : pending.kind, pending.pc, pending.detail, pending.other_pc);
}

[[gnu::noinline]] void report_race(const char* kind, bool shared, u32 other_site, void* pc) {
    report_finding(!shared && launch.fences ? "race_unverified_fence" : kind, pc, whereabouts(), sites.places[other_site]);
}

[[gnu::noinline]] void report_double_write(char* address, u32 size, bool shared, u32 other_site, void* pc) {
    if (!shared && launch.fences) return report_race("race_global_ww", shared, other_site, pc);
    if (pending.active || size > sizeof pending.before) return;
    pending = {true, address, size, {}, shared ? "race_shared_ww" : "race_global_ww", pc, sites.places[other_site], whereabouts()};
    memcpy(pending.before, address, size);
}

// A reader that the word remembers, or another one that the flags tell of, is not ordered before a write by the current thread.
inline Relation reader_relation(const Reader& reader, bool shared) {
    const Relation direct = relation(reader.epoch, reader.thread, shared);
    if (direct != Relation::kOrdered) return direct;
    if (reader.also_in_grid && reader.epoch >= launch.epoch && !shared) return Relation::kOtherBlock;
    const bool mine = launch.cooperative && !shared ? owner_of(reader.epoch) == block->linear : reader.epoch >= block->start;
    if (!mine || reader.epoch < launch.epoch) return Relation::kOrdered;
    if (reader.also_in_block && reader.epoch >= block->barrier) return Relation::kSameBlock;
    const u32 warp = reader.thread / kWarpLanes;
    if (reader.also_in_warp && reader.epoch >= block->barrier && reader.epoch == block->warp_epoch[warp]) return Relation::kSameWarp;
    return Relation::kOrdered;
}

inline void check_write(Cell& cell, char* address, u32 size, u32 bytes, u32 site, bool atomic, bool shared, void* pc, bool stale) {
    const Writer writer = cell.writer;
    if (writer.epoch && writer.bytes & bytes && !(atomic && writer.atomic)) {
        const Relation how = relation(writer.epoch, writer.thread, shared);
        if (how != Relation::kOrdered && !(how == Relation::kOtherBlock && ordered_by_fence(writer.epoch))) {
            if (atomic || writer.atomic)
                report_race(shared ? "race_shared_ww" : "race_global_ww", shared, writer.site, pc);
            else
                report_double_write(address, size, shared, writer.site, pc);
        }
    }
    const Reader reader = cell.reader;
    if (reader.epoch && reader.bytes & bytes) {
        const Relation how = reader_relation(reader, shared);
        if (how != Relation::kOrdered && !(how == Relation::kOtherBlock && ordered_by_fence(reader.epoch)))
            report_race(atomic ? "atomic_and_plain" : shared ? "race_shared_rw" : "race_global_rw", shared, reader.site, pc);
    }
    const u32 before = stale ? 0 : writer.initialised;
    cell.writer = {block->warp_epoch[thread_index / kWarpLanes], site, thread_index, bytes, before | bytes, atomic};
}

inline void remember_reader(Cell& cell, u32 bytes, u32 site, bool shared) {
    const Reader old = cell.reader;
    Reader now{block->warp_epoch[thread_index / kWarpLanes], site, thread_index, bytes, 0, 0, 0};
    if (old.epoch >= launch.epoch && old.bytes & bytes) {
        const Relation how = relation(old.epoch, old.thread, shared);
        const bool mine = launch.cooperative && !shared ? owner_of(old.epoch) == block->linear : old.epoch >= block->start;
        now.also_in_grid = !shared && (how == Relation::kOtherBlock || old.also_in_grid);
        now.also_in_block = how == Relation::kSameBlock || (mine && old.also_in_block && old.epoch >= block->barrier);
        now.also_in_warp = how == Relation::kSameWarp || (mine && old.also_in_warp && old.epoch == now.epoch);
        if (now.also_in_grid || now.also_in_block || now.also_in_warp)
            now.bytes &= old.bytes;  // the flags hold only for bytes that both have read
        else if (old.thread == thread_index && how == Relation::kOrdered && old.epoch == now.epoch)
            now.bytes |= old.bytes;
    }
    cell.reader = now;
}

inline void check_read(Cell& cell, u32 bytes, u32 site, bool shared, void* pc, bool stale) {
    const Writer writer = cell.writer;
    if ((stale ? 0 : writer.initialised & bytes) != bytes) {
        report_finding(shared ? "uninit_read_shared" : "uninit_read_global", pc, whereabouts());
    } else if (writer.epoch && writer.bytes & bytes) {
        const Relation how = relation(writer.epoch, writer.thread, shared);
        if (how != Relation::kOrdered && !(how == Relation::kOtherBlock && ordered_by_fence(writer.epoch)))
            report_race(writer.atomic ? "atomic_and_plain" : shared ? "race_shared_wr" : "race_global_wr", shared, writer.site, pc);
    }
    remember_reader(cell, bytes, site, shared);
}

// One access of `size` bytes at `address`, whose first word is `cell`.
inline void check_races(Cell* cell, char* address, u32 size, AccessKind kind, bool needs_value, u32 site, void* pc, bool shared) {
    const u32 offset = (u64)address & 3;
    const u32 words = (offset + size + 3) / 4;
    for (u32 i = 0; i < words; i++, cell++) {
        const u32 from = i == 0 ? offset : 0, to = std::min(4u, offset + size - 4 * i);
        const u32 bytes = ((1u << to) - 1) & ~((1u << from) - 1);
        const bool stale = shared && cell->writer.epoch < block->start;  // another block's, in the same place
        if (kind == AccessKind::kLoad) {
            check_read(*cell, bytes, site, shared, pc, stale);
            continue;
        }
        if (needs_value && (stale ? 0 : cell->writer.initialised & bytes) != bytes)
            report_finding(shared ? "uninit_read_shared" : "uninit_read_global", pc, whereabouts());
        check_write(*cell, address, size, bytes, site, kind == AccessKind::kAtomic, shared, pc, stale);
    }
}
}  // namespace runtime
