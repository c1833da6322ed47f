// A cell names one reader and one writer. Where operations that nothing orders read the same word, or update it atomically, an operation to
// come may be ordered after one of them and not after another. So what was replaced in a cell is kept here: words with the same past share
// one set of accesses, and each word has the number of its set.
#pragma once
#include "race_cells.h"

namespace runtime {
constexpr size_t kMaxLostSets = 1 << 16;  // of a call; beyond, a race with what was replaced may be missed

struct LostAccesses {
    std::vector<std::vector<u64>> sets;
    std::map<std::pair<u32, u64>, u32> with_more;  // the number of the set that has an access more than another one
    u32 first = 1;                                 // number of sets[0]: memory that outlives a call may name older ones
} lost_accesses;

// In place of a replaced reader (races.h) a word has the number of its set.
inline u32 lost_set(u64 replaced) { return epoch_of(replaced) ? 0 : replaced >> 32; }
inline const std::vector<u64>& lost_of(u64 replaced) {
    static const std::vector<u64> none;
    const u32 number = lost_set(replaced);
    return number < lost_accesses.first ? none : lost_accesses.sets[number - lost_accesses.first];
}

// `access`, by an operation that may overlap with the one that runs, is about to be replaced.
[[gnu::noinline]] void lose(u64& replaced, u64 access) {
    const Operation* operation = operation_of(epoch_of(access));
    if (!operation) return;
    access = operation->first | (u64)site_of(access) << 32 | (access & kAtomic);
    const std::vector<u64>& before = lost_of(replaced);
    if (std::find(before.begin(), before.end(), access) != before.end()) return;
    if (lost_accesses.sets.size() >= kMaxLostSets) return;
    const u32 next = lost_accesses.first + lost_accesses.sets.size();
    auto [known, is_new] = lost_accesses.with_more.try_emplace({before.empty() ? 0 : lost_set(replaced), access}, next);
    if (is_new) {
        std::vector<u64> larger = before;
        larger.push_back(access);
        lost_accesses.sets.push_back(std::move(larger));
    }
    replaced = (u64)known->second << 32;
}

void forget_lost_accesses() {
    lost_accesses.first += lost_accesses.sets.size();
    lost_accesses.sets.clear();
    lost_accesses.with_more.clear();
}
}  // namespace runtime
