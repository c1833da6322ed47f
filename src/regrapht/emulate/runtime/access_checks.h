// Every access of a checked build comes here: is the address valid, aligned, initialised, free of races, and what does it cost.
#pragma once
#include "device_variables.h"

namespace runtime {
volatile bool nearly_out_of_time = false;  // set by the alarm, acted upon at the next access
bool told_of_timeout = false;

[[gnu::noinline]] void bad_access(const char* kind, void* pc, const char* p, u32 size, bool write, int error) {
    std::string detail = (write ? "write of " : "read of ") + std::to_string(size) + " bytes by " + whereabouts();
    if (on_device(p)) {
        auto next = allocations.upper_bound((char*)p);
        if (next != allocations.begin()) {
            const auto& [start, allocation] = *std::prev(next);
            detail += ", at byte " + std::to_string(p - start) + " of an allocation of " + std::to_string(allocation.bytes);
        }
    }
    report_finding(kind, pc, detail);
    abort_launch(error);
}

constexpr long kNearVariables = 1 << 20;  // an address this close to the variables was meant for one of them

// Lets other threads run when one has made very many accesses: it may be waiting for them.
[[gnu::noinline]] void lose_patience(void* pc) {
    scheduler.patience = 0;
    if (nearly_out_of_time && !told_of_timeout) {
        nearly_out_of_time = false;
        told_of_timeout = true;
        report_finding("timeout", pc, whereabouts());
        void write_report_now();
        write_report_now();
    }
    current_thread().state = ThreadState::kYielded;
    back_to_scheduler();
}

inline bool shadow_allows(size_t offset, u32 size) {
    const u32 within = offset & 7, allowed = heap_shadow[offset >> 3] & 15;
    if (within + size <= 8) return within + size <= allowed;
    const size_t last = offset + size - 1;
    for (size_t unit = offset >> 3; unit < last >> 3; unit++)
        if ((heap_shadow[unit] & 15) != 8) return false;
    return (last & 7) + 1 <= (heap_shadow[last >> 3] & 15u);
}

// Addresses that are neither device nor shared memory: this thread's own stack, launch parameters, read-only data; the rest is host memory.
[[gnu::noinline]] void check_other(char* p, u32 size, bool write, void* pc) {
    if (p >= stacks_begin && p < stacks_end) return;
    if (p >= launch.parameters && p < launch.parameters + launch.parameter_bytes) return;
    if (p >= image_begin && p < image_end && !write) return;
    if (p >= variables_begin - kNearVariables && p < variables_end + kNearVariables && variables_begin)
        bad_access("device_variable_oob", pc, p, size, write, cudaErrorIllegalAddress);
    const bool null = (u64)p < 65536;
    bad_access(null ? "null_access" : "host_memory_access", pc, p, size, write, cudaErrorIllegalAddress);
}

[[gnu::noinline]] void check_variable(char* p, u32 size, AccessKind kind, bool needs_value, void* pc, bool aligned) {
    const DeviceVariable* variable = variable_at(p);
    const bool write = kind != AccessKind::kLoad;
    if (!variable || p + size > variable->begin + variable->bytes)
        bad_access("device_variable_oob", pc, p, size, write, cudaErrorIllegalAddress);
    if (aligned && (u64)p & (size - 1)) bad_access("misaligned", pc, p, size, write, cudaErrorMisalignedAddress);
    if (variable->constant) {
        if (write) bad_access("constant_write", pc, p, size, write, cudaErrorIllegalAddress);
        return;
    }
    const u32 site = sites.of(pc);
    if (tracing) trace_access(pc, site, (u64)p, size, Space::kGlobal, kind);
    check_races(&variable_cells[(p - variables_begin) / 4], p, size, kind, needs_value, site, pc, false);
}

[[gnu::noinline]] bool inside_shared_object(size_t offset, u32 size) {
    for (size_t slot = 0; slot < block->slot_offset.size(); slot++)
        if (block->slot_offset[slot] && offset >= block->slot_offset[slot] &&
            offset + size <= block->slot_offset[slot] + shared_slots[slot].bytes)
            return true;
    return block->dynamic_offset && offset >= block->dynamic_offset &&
           offset + size <= block->dynamic_offset + launch.dynamic_shared_bytes;
}

inline void check_host_access(char* p, void* pc) {
    const size_t offset = (u64)p - (u64)heap;
    if (offset < heap_bytes && !(heap_shadow[offset >> 3] & kHostMayTouch))
        report_finding("host_deref_device", pc, "a device pointer is dereferenced in host code");
}

inline void check_access(void* address, u32 size, AccessKind kind, void* pc, bool aligned = true, bool needs_value = false) {
    char* const p = (char*)address;
    if (!in_kernel) return check_host_access(p, pc);
    if (pending.active) pending_write_done();
    if (++scheduler.patience > kPatience || nearly_out_of_time) [[unlikely]]
        lose_patience(pc);
    const bool write = kind != AccessKind::kLoad;
    const size_t offset = (u64)p - (u64)heap;
    if (offset < heap_bytes) {
        if (!shadow_allows(offset, size)) [[unlikely]]
            bad_access(heap_shadow[offset >> 3] & kFreed ? "use_after_free" : "global_oob", pc, p, size, write, cudaErrorIllegalAddress);
        if (aligned && offset & (size - 1)) [[unlikely]]
            bad_access("misaligned", pc, p, size, write, cudaErrorMisalignedAddress);
        const u32 site = sites.of(pc);
        if (tracing) trace_access(pc, site, (u64)p, size, Space::kGlobal, kind);
        check_races(heap_cells + offset / 4, p, size, kind, needs_value, site, pc, false);
        return;
    }
    const size_t shared_offset = (u64)p - (u64)block->shared;
    if (shared_offset < kSharedStride) {
        if (!inside_shared_object(shared_offset, size)) [[unlikely]]
            bad_access("shared_oob", pc, p, size, write, cudaErrorIllegalAddress);
        if (aligned && (u64)p & (size - 1)) [[unlikely]]
            bad_access("misaligned", pc, p, size, write, cudaErrorMisalignedAddress);
        const u32 site = sites.of(pc);
        if (tracing) trace_access(pc, site, (u64)p, size, Space::kShared, kind);
        check_races(shared_cells + (p - shared_arena) / 4, p, size, kind, needs_value, site, pc, true);
        return;
    }
    if (p >= variables_begin && p < variables_end) return check_variable(p, size, kind, needs_value, pc, aligned);
    check_other(p, size, write, pc);
}

// A range that a library function or a compiler-made copy touches.
void check_range(const void* address, size_t bytes, AccessKind kind, void* pc) {
    if (!in_kernel) return;
    char* p = (char*)address;
    const u32 step = ((u64)p | bytes) & 3 ? 1 : 4;
    for (size_t i = 0; i < bytes; i += step) check_access(p + i, step, kind, pc);
}
}  // namespace runtime
