// What is remembered of accesses: each word of device and shared memory has a cell with its last write and its last read; bytes that are
// accessed alone get cells of their own. A cell names epoch, thread and place of the access, and whether others have done the same at the
// same time: with that no conflict of the executed schedule is lost, however many threads read or write. Which thread a writer conflicts
// with is then known only of the last reader, and that may be the writer itself: so on the long way the last reader is kept when another
// thread reads the word elsewhere in the source.
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
constexpr u64 kGridMate = 1ull << 59;   // another block of the launch
constexpr u64 kFromHost = 1ull << 60;   // of a writer: a copy by the candidate, of what came from host memory
constexpr u64 kLost = 1ull << 61;       // the cell has replaced accesses of operations that may overlap (lost_accesses.h)
constexpr u64 kOfBlock = 1ull << 62;    // atomic for its own block alone
constexpr u64 kMates = kWarpMate | kBlockMate | kGridMate, kFar = kGridMate | kLost;
constexpr u64 kSite = 8191ull << 32;
constexpr u64 kEpochAndThread = 0xffffffffull | 1023ull << 45;

inline Epoch epoch_of(u64 access) { return (Epoch)access; }
inline u32 thread_of(u64 access) { return access >> 45 & 1023; }
inline u32 site_of(u64 access) { return access >> 32 & 8191; }

struct Cell {
    u64 writer = 0, reader = 0;
};
inline bool copied_from_host(u64 writer) { return writer & kFromHost; }

// Memory whose accesses are checked. State and written bits are kept for units of 8 bytes.
struct Region {
    char* base = nullptr;
    size_t bytes = 0;
    u8* state = nullptr;    // how many of the unit's bytes may be used, and the flags below
    u8* written = nullptr;  // which of them have a value
    Cell* words = nullptr;
    Cell* single = nullptr;  // of each byte, in units that are kSplit
    u64* word_readers = nullptr;    // of each word, a reader that another thread at another place has replaced, and was not ordered with
    u64* single_readers = nullptr;  // of each byte likewise
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
    return shared ? epoch >= block->start : launch.interleaved ? owner_of(epoch) == block->linear : epoch >= block->start;
}
inline bool ordered_in_warp(Epoch epoch, u32 thread) {
    if (epoch < now.warp) return true;
    return now.partial && epoch < block->clocks[thread / kWarpLanes].since[thread_index % kWarpLanes][thread % kWarpLanes];
}

// How an earlier access relates to one by the current thread now: ordered, or by whom it is not.
inline Relation relation(Epoch epoch, u32 thread, bool shared) {
    if (epoch < (shared ? block->start : launch.joined)) return Relation::kOrdered;
    if (!shared && epoch < launch.first) return operation_ordered(epoch) ? Relation::kOrdered : Relation::kOtherLaunch;
    if (!by_own_block(epoch, shared)) return Relation::kOtherBlock;
    if (thread == thread_index || epoch < block->barrier) return Relation::kOrdered;
    if ((thread ^ thread_index) / kWarpLanes) return Relation::kSameBlock;
    return ordered_in_warp(epoch, thread) ? Relation::kOrdered : Relation::kSameWarp;
}

// The same for an access and those of its launch that its flags tell of. `named`: it is the access itself that is not ordered.
inline Relation relation_of_all(u64 access, bool shared, bool& named) {
    const Epoch epoch = epoch_of(access);
    const Relation direct = relation(epoch, thread_of(access), shared);
    named = direct != Relation::kOrdered;
    if (named || !(access & kMates) || epoch < std::max(launch.joined, launch.first)) return direct;
    if (access & kGridMate) return Relation::kOtherBlock;
    if (!by_own_block(epoch, shared) || epoch < block->barrier) return Relation::kOrdered;
    if (access & kBlockMate) return Relation::kSameBlock;
    const bool in_step = epoch >= now.warp && epoch >= epoch_of(now.stamp) && !((thread_of(access) ^ thread_index) / kWarpLanes);
    return in_step ? Relation::kSameWarp : Relation::kOrdered;
}

// The flags of an access by the current thread that comes after `old` of the same kind. `how`: how that one relates to it.
inline u64 mates(u64 old, bool shared, Relation& how) {
    const Epoch epoch = epoch_of(old);
    how = Relation::kOrdered;
    if (!epoch || epoch < (shared ? block->start : launch.joined)) return 0;
    how = relation(epoch, thread_of(old), shared);
    switch (how) {
        case Relation::kOtherLaunch: return 0;  // it is kept elsewhere
        case Relation::kOtherBlock: return kGridMate;
        case Relation::kSameBlock: return kBlockMate | (old & kGridMate);
        case Relation::kSameWarp: return kWarpMate | (old & (kBlockMate | kGridMate));
        case Relation::kOrdered: break;
    }
    if (!shared && epoch < launch.first) return 0;
    if (!by_own_block(epoch, shared)) return old & kGridMate;
    if (!((old ^ now.stamp) & kEpochAndThread)) return old & kMates;
    return old & (epoch < block->barrier ? kGridMate : kBlockMate | kGridMate);
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
    bool of_block = false;  // an atomic update that is one for the own block alone
    bool writes() const { return kind != AccessKind::kLoad; }
    bool atomic() const { return kind == AccessKind::kAtomic; }
    u64 record() const { return now.stamp | (u64)site << 32 | (atomic() ? kAtomic : 0) | (strong ? kStrong : 0) | (of_block ? kOfBlock : 0); }
};
}  // namespace runtime
