// Transfers and frees as operations of their streams: what they touch is compared with what launches and transfers of other streams do there.
#pragma once
#include "device_variables.h"

namespace runtime {
// The memory of a range with race cells; nullptr: host memory.
inline const Region* region_of(const void* p) {
    if (!kChecked) return nullptr;
    if (on_device(p)) return &heap_region;
    return p >= variables_begin && p < variables_end ? &variable_region : nullptr;
}

class Transfer {
  public:
    Transfer(const void* stream, void* pc, const char* writing = "write by a transfer") : writing(writing), pc(pc), first(new_epoch()) {
        begin_operation(stream_number(stream), first, "", pc);
        overlaps = joined_epoch(first) < first;
    }

    // As what writes a cell.
    u64 record() const { return first | (u64)sites.of(pc) << 32; }

    // `finished`: the call returns when it is done, so that nothing to come can overlap with it.
    void reads(const void* p, size_t bytes, bool finished) const {
        compare(p, bytes, false);
        const Region* region = region_of(p);
        if (!region || finished) return;
        for_cells(*region, (const char*)p - region->base, bytes, [this](Cell& cell, u64& replaced, u32) {
            if (overlaps && !operation_ordered(epoch_of(cell.reader))) lose(replaced, cell.reader);
            cell.reader = record() | (lost_set(replaced) ? kLost : 0);
        });
    }
    void writes(const void* p, size_t bytes) const { compare(p, bytes, true); }

  private:
    const char* writing;
    void* pc;
    Epoch first;
    bool overlaps;  // with an operation before it

    void compare(const void* p, size_t bytes, bool writes) const {
        const Region* region = region_of(p);
        if (!region || !overlaps) return;
        u64 told = 0;  // neighbouring words tell of one conflict
        auto look = [&](u64 other, bool other_writes) {
            if (!(writes || other_writes) || operation_ordered(epoch_of(other))) return;
            const u64 who = operation_of(epoch_of(other))->first | (u64)site_of(other) << 32;
            if (who == std::exchange(told, who)) return;
            Circumstances when{Scope::kStreams, nullptr, false, {pc, operation_of(epoch_of(other))->pc}};
            report_race("race_streams", pc, (writes ? writing : std::string("read by a transfer")) + ", " + in_other_stream(other, other_writes),
                        sites.places[site_of(other)], when);
        };
        for_cells(*region, (const char*)p - region->base, bytes, [&](const Cell& cell, u64 replaced, u32) {
            look(cell.writer, true);
            look(cell.reader, false);
            for (const u64 lost : lost_of(replaced)) look(lost, lost & kAtomic);
        });
    }
};
}  // namespace runtime
