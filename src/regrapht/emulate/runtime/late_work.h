// Work that the judge does not wait for: it reads the outputs in the default stream when the entry has returned. What writes them in a
// stream that the default stream does not wait for may still be running then.
#pragma once
#include "transfers.h"

namespace runtime {
class LateWork {
  public:
    // Begins the judge's own work: what is not ordered before it is late.
    LateWork() : first(new_epoch()) { begin_operation(0, first, "", nullptr); }

    void look_at(u32 parameter, const char* array, size_t bytes) {
        if (!kChecked || !bytes || joined_epoch(first) == first) return;
        if (on_device(array)) look_at_cells(array, bytes);
        else look_at_host_writes(array, bytes);
        for (const auto& [writer, late] : found) report(writer.first, writer.second, late, bytes, parameter);
        found.clear();
    }

  private:
    const Epoch first;
    std::map<std::pair<const Operation*, void*>, size_t> found;  // bytes by the operation and the place in the source that wrote them

    void add(Epoch epoch, void* pc, size_t bytes) {
        if (!operation_ordered(epoch)) found[{operation_of(epoch), pc}] += bytes;
    }

    void look_at_cells(const char* array, size_t bytes) {
        for_cells(heap_region, array - heap, bytes, [&](const Cell& cell, u64 replaced, u32 size) {
            add(epoch_of(cell.writer), sites.places[site_of(cell.writer)], size);
            for (const u64 lost : lost_of(replaced))
                if (lost & kAtomic) add(epoch_of(lost), sites.places[site_of(lost)], size);
        });
    }

    void look_at_host_writes(const char* array, size_t bytes) {
        for (const HostWrite& write : unfinished_host_writes) {
            const char *from = std::max(array, write.begin), *to = std::min(array + bytes, write.begin + write.bytes);
            if (from < to) add(write.epoch, write.pc, to - from);
        }
    }

    static void report(const Operation* operation, void* pc, size_t late, size_t bytes, u32 parameter) {
        Finding* finding = report_finding("late_write", pc, std::to_string(late) + " of " + std::to_string(bytes) + " bytes of parameter " +
                                                                std::to_string(parameter + 1) + " by " + doer(*operation));
        if (!finding) return;
        finding->kernel = operation->kernel;
        finding->enqueued = {operation->pc};
    }
};

// Read-only arrays that the candidate has written to, whatever it put there in the end.
inline void look_for_written_input(u32 parameter, const char* array, size_t bytes) {
    if (!kChecked || !bytes || !on_device(array)) return;
    std::map<u32, size_t> written;  // bytes by the place in the source
    for_cells(heap_region, array - heap, bytes, [&](const Cell& cell, u64, u32 size) {
        if (epoch_of(cell.writer)) written[site_of(cell.writer)] += size;
    });
    for (const auto& [site, count] : written)
        report_finding("input_write", sites.places[site], std::to_string(count) + " of " + std::to_string(bytes) + " bytes of parameter " +
                                                              std::to_string(parameter + 1));
}
}  // namespace runtime
