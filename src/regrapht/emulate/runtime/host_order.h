// Memory that host and device share: the host may use it when it has waited for the work that does.
#pragma once
#include "device_variables.h"

namespace runtime {
struct HostWrite {  // a transfer to registered host memory, which has no cells
    const char* begin;
    size_t bytes;
    Epoch epoch;
    void* pc;
};
std::vector<HostWrite> unfinished_host_writes;

struct RegisteredUse {  // what a launch has done in registered host memory, which has no cells
    char *low, *high;
    Epoch epoch;
    bool writes;
    void* pc;
};
std::vector<RegisteredUse> registered_uses;

void note_registered_use(char* p, size_t bytes, bool write, void* pc) {
    for (RegisteredUse& known : registered_uses)
        if (known.epoch == launch.first && known.writes == write && p + bytes + 4096 >= known.low && p <= known.high + 4096) {
            known.low = std::min(known.low, p), known.high = std::max(known.high, p + bytes);
            return;
        }
    registered_uses.push_back({p, p + bytes, launch.first, write, pc});
}

[[gnu::noinline]] void report_early_host(const char* p, bool write, Epoch epoch, void* other_pc, void* pc) {
    const Operation* operation = operation_of(epoch);
    const Circumstances when{Scope::kNone, nullptr, false, {operation->pc}};
    report_race("host_before_sync", pc, std::string(write ? "write" : "read") + " by the host of what " + doer(*operation) + " may still " +
                                            (write ? "use" : "write"), other_pc, when);
}

// An access by the host. What is ordered before it on the host, it has waited for.
void check_host_order(const char* p, size_t bytes, bool write, void* pc) {
    if (host_knows_all()) return;
    const bool heap_memory = on_device(p);
    if (heap_memory || (p >= variables_begin && p < variables_end)) {
        const Region& region = heap_memory ? heap_region : variable_region;
        bool told = false;
        for_cells(region, p - region.base, bytes, [&](const Cell& cell, u64 replaced, u32) {
            if (told) return;
            const auto early = [&](u64 access) { return epoch_of(access) && !host_ordered(epoch_of(access)); };
            u64 other = early(cell.writer) ? cell.writer : write && early(cell.reader) ? cell.reader : 0;
            for (const u64 lost : lost_of(replaced))
                if (!other && (write || lost & kAtomic) && early(lost)) other = lost;
            if (!other) return;
            report_early_host(p, write, epoch_of(other), sites.places[site_of(other)], pc);
            told = true;
        });
        return;
    }
    for (const RegisteredUse& use : registered_uses)
        if ((write || use.writes) && p < use.high && p + bytes > use.low && !host_ordered(use.epoch))
            return report_early_host(p, write, use.epoch, use.pc, pc);
    for (const HostWrite& copy : unfinished_host_writes)
        if (p < copy.begin + copy.bytes && p + bytes > copy.begin && !host_ordered(copy.epoch))
            return report_early_host(p, write, copy.epoch, copy.pc, pc);
}
}  // namespace runtime
