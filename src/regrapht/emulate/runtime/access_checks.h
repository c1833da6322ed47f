// Every access of a checked build comes here: is the address valid, aligned, initialised, free of races, and what does it cost.
#pragma once
#include "host_order.h"
#include "host_traffic.h"

namespace runtime {
void write_report_now();
void use_of_copied(const Access& access);

[[gnu::noinline]] void bad_access(const char* kind, void* pc, const char* p, u32 size, bool write, int error) {
    std::string detail = (write ? "write of " : "read of ") + std::to_string(size) + " bytes by " + whereabouts();
    if (on_device(p)) {
        auto next = allocations.upper_bound((char*)p);
        if (next != allocations.begin()) {
            const auto& [start, allocation] = *std::prev(next);
            const std::string what = allocation.argument < 0 ? "an allocation" : "argument " + std::to_string(allocation.argument);
            detail += ", at byte " + std::to_string(p - start) + " of " + what + " of " + std::to_string(allocation.bytes) + " bytes";
        }
    } else if ((u64)p - (u64)block->shared < kSharedStride) {
        const long past = p - ((const char*)block->shared + shared_opened);
        detail += past < 0 ? ", before or between the block's shared objects"
                           : ", " + std::to_string(past) + " bytes past the end of the block's shared objects";
    } else if (const DeviceVariable* variable = variables_begin && p >= variables_begin ? variable_at(p) : nullptr) {
        detail += ", at byte " + std::to_string(p - variable->begin) + " of a variable of " + std::to_string(variable->bytes) + " bytes";
    }
    report_finding(kind, pc, detail);
    abort_launch(error);
}

constexpr long kNearVariables = 1 << 20;  // an address this close to the variables was meant for one of them

void yield(void* pc) {
    Thread& thread = current_thread();
    thread.state = ThreadState::kYielded;
    thread.pc = pc;
    back_to_scheduler();
}

// The alarm has gone off: should the program be ended from outside, this is where it was.
[[gnu::noinline]] void out_of_time(void* pc) {
    ignore(kOutOfTime);
    report_finding("timeout", pc, whereabouts());
    write_report_now();
}

// Lets other threads run when one has made very many accesses. That is slow, no more: it moves on.
[[gnu::noinline]] void lose_patience(void* pc) {
    scheduler.changed = true;
    yield(pc);
}

// A thread that reads by atomic or volatile accesses and changes nothing may wait for another one. See run_together().
void read_in_vain(const char* p, void* pc) {
    scheduler.words_read |= 1ull << ((u64)p >> 2) * 0x9E3779B97F4A7C15ull / (1ull << 58);
    if (++scheduler.vain_reads < kVainReads) return;
    if (__builtin_popcountll(scheduler.words_read) > kSpunOn) scheduler.changed = true;  // it goes through an array
    yield(pc);
}

inline bool state_allows(const Region& region, size_t offset, u32 size) {
    const u32 within = offset & 7, allowed = region.state[offset >> 3] & kAllowed;
    if (within + size <= 8) return within + size <= allowed;
    const size_t last = offset + size - 1;
    for (size_t unit = offset >> 3; unit < last >> 3; unit++)
        if ((region.state[unit] & kAllowed) != 8) return false;
    return (last & 7) + 1 <= (region.state[last >> 3] & kAllowed);
}

// Whether an access of `size` bytes lies at no multiple of its alignment. Up to 8 bytes, the plain hooks are called for types that are
// aligned to their size. From 16 on the compiler's own check of the type has spoken just before, of the object or of one around it.
[[gnu::noinline]] bool is_misaligned(u64 p, size_t size) {
    constexpr u64 kLargestObject = 4096;
    if (size < 16) return p & (size - 1);
    if (p & 7 && size == 16) return true;
    for (auto next = launch.misaligned.upper_bound(p); next != launch.misaligned.begin() && p - *std::prev(next) < kLargestObject; next--)
        if ((p - *std::prev(next)) % 16 == 0) return true;
    return false;
}

// threadIdx and its like, whose reads clang instruments.
inline bool is_of_the_thread(const char* p) {
    auto within = [p](const auto& object) { return p >= (const char*)&object && p < (const char*)(&object + 1); };
    return within(threadIdx) || within(blockIdx) || within(blockDim) || within(gridDim);
}

// What a thread has made of its own numbers, by a cast: compilers take them for constants and tell nobody of the write.
void look_at_built_in() {
    if (!kChecked) return;
    const uint3 thread = threadIdx, of_block = blockIdx;
    const EmulatedExtent block_size = blockDim, grid_size = gridDim;
    set_current_thread(block, thread_index);
    auto same = [](const auto& one, const auto& other) { return one.x == other.x && one.y == other.y && one.z == other.z; };
    if (!same(thread, threadIdx) || !same(of_block, blockIdx) || !same(block_size, launch.block) || !same(grid_size, launch.grid))
        report_finding("built_in_write", nullptr, "by " + whereabouts());
    blockDim = {launch.block.x, launch.block.y, launch.block.z};
    gridDim = {launch.grid.x, launch.grid.y, launch.grid.z};
}

bool is_mapped(const char* p) {
    unsigned char resident;
    return mincore((void*)((u64)p & ~4095ull), 1, &resident) == 0;
}

// Addresses that are neither device nor shared memory: this thread's own stack, launch parameters, read-only data; the rest is host memory.
[[gnu::noinline]] void check_other(char* p, u32 size, bool write, void* pc) {
    const char* const own = current_thread().fiber->stack;
    if (p >= own && p < own + kStackBytes) return;
    if (p >= launch.parameters && p < launch.parameters + launch.parameter_bytes) return;
    const bool among_variables = p >= writable_begin && p < writable_end;
    if (p >= image_begin && p < image_end && !write && !among_variables) return;
    if (!write && is_of_the_thread(p)) return;
    const bool near = variables_begin && p >= variables_begin - kNearVariables && p < variables_end + kNearVariables;
    if (among_variables || near)
        bad_access("device_variable_oob", pc, p, size, write, cudaErrorIllegalAddress);
    if (is_registered(p, size)) {
        host_traffic.unmatched += size;
        return note_registered_use(p, size, write, pc);
    }
    const bool null = (u64)p < 65536, stack = p >= stacks_begin && p < stacks_end;
    const char* const kind = null ? "null_access" : !is_mapped(p) ? "global_oob" : stack ? "other_threads_local" : "host_memory_access";
    bad_access(kind, pc, p, size, write, cudaErrorIllegalAddress);
}

[[gnu::noinline]] void check_variable(Access& access, bool needs_value, bool aligned) {
    char* const p = access.address;
    const DeviceVariable* variable = variable_at(p);
    if (!variable || p + access.size > variable->begin + variable->bytes)
        bad_access("device_variable_oob", access.pc, p, access.size, access.writes(), cudaErrorIllegalAddress);
    if (aligned && (u64)p & (access.size - 1) && is_misaligned((u64)p, access.size))
        bad_access("misaligned", access.pc, p, access.size, access.writes(), cudaErrorMisalignedAddress);
    if (variable->constant) {
        if (access.writes()) bad_access("constant_write", access.pc, p, access.size, true, cudaErrorIllegalAddress);
        if (launch.joined == launch.first) return;  // only a copy in another stream can write it
    }
    access.site = sites.of(access.pc);
    if (tracing() && !variable->constant) trace_access(access.pc, access.site, (u64)p, access.size, Space::kGlobal, access.kind);
    check_races(variable_region, p - variable_region.base, access, needs_value);
}

void check_host_access(char* p, size_t bytes, bool write, void* pc) {
    if (kChecked && bytes && (!on_device(p) || (host_may_touch(p) && inside_allocation(p, bytes)))) check_host_order(p, bytes, write, pc);
    if (!on_device(p)) return;
    if (!host_may_touch(p))
        report_finding("host_deref_device", pc, "a device pointer is dereferenced in host code");
    else if (!write)
        host_reads_in_place(p, bytes);
    else if (inside_allocation(p, bytes)) {
        host_traffic.from_host += bytes;
        mark_written(p, bytes);
    }
}

// The long way: every check, every kind of memory.
[[gnu::noinline]] void check_access(void* address, u32 size, AccessKind kind, void* pc, bool aligned = true, bool needs_value = false,
                                    bool strong = false, bool of_block = false) {
    char* const p = (char*)address;
    if (!in_kernel) return check_host_access(p, size, kind != AccessKind::kLoad, pc);
    pending_write_done();
    count_named_access();
    if (attention & kOutOfTime) out_of_time(pc);
    if (++scheduler.patience > kPatience) lose_patience(pc);
    Access access{p, size, kind, strong || kind == AccessKind::kAtomic, 0, pc, false, of_block};
    needs_value |= kind == AccessKind::kLoad;
    if (kind == AccessKind::kStore) scheduler.changed = true;
    const size_t offset = (u64)p - (u64)heap;
    access.shared = offset >= heap_bytes && (u64)p - (u64)block->shared < kSharedStride;
    if (offset < heap_bytes || access.shared) {
        const Region& region = access.shared ? shared_region : heap_region;
        const size_t at = p - region.base;
        if (!state_allows(region, at, size)) [[unlikely]]
            bad_access(access.shared ? "shared_oob" : region.state[at >> 3] & kFreed ? "use_after_free" : "global_oob", pc, p, size,
                       access.writes(), cudaErrorIllegalAddress);
        if (aligned && at & (size - 1) && is_misaligned((u64)p, size)) [[unlikely]]
            bad_access("misaligned", pc, p, size, access.writes(), cudaErrorMisalignedAddress);
        if (access.shared && region.state[at >> 3] & kFreed) [[unlikely]]
            use_of_copied(access);
        access.site = sites.of(pc);
        if (tracing()) trace_access(pc, access.site, (u64)p, size, access.shared ? Space::kShared : Space::kGlobal, kind);
        check_races(region, at, access, needs_value);
    } else if (p >= variables_begin && p < variables_end) {
        check_variable(access, needs_value, aligned);
    } else {
        return check_other(p, size, access.writes(), pc);
    }
    if (access.strong) strong_access(p, kind != AccessKind::kStore, access.writes());
    if (strong && !access.writes()) read_in_vain(p, pc);
}

// Whether all of an aligned access may be used, and has a value if it is read; a word that is written for the first time gets one.
template <u32 size, bool write>
[[gnu::always_inline]] inline bool units_are_plain(const Region& region, size_t offset) {
    const size_t first = offset >> 3;
    for (size_t unit = first; unit < first + (size + 7) / 8; unit++) {
        const u8 state = region.state[unit] & ~kHostMayTouch;
        if (size < 4 ? state == (kPlain | kSplit) : state == kPlain) continue;
        if (!write || size < 4 || state != 8) return false;
        region.written[unit] |= size == 4 ? 15 << (offset & 4) : 255;
        if (region.written[unit] == 255) region.state[unit] |= kWhole;
    }
    return true;
}

template <u32 size, bool write>
[[gnu::always_inline]] inline bool cells_agree(const Region& region, size_t offset, u64 site, Epoch joined, Epoch own_block) {
    Cell* const cells = size < 4 ? region.single + offset : region.words + offset / 4;
    for (u32 i = 0; i < (size < 4 ? size : size / 4); i++)
        if (!(write ? quick_write(cells[i], site, joined, own_block) : quick_read(cells[i], site, joined, own_block))) return false;
    return true;
}

// Out of line, so that the short way saves no registers.
template <u32 size, bool write>
[[gnu::noinline]] void check_fully(void* address, void* pc) {
    check_access(address, size, write ? AccessKind::kStore : AccessKind::kLoad, pc);
}

template <u32 size, bool write>
[[gnu::noinline]] void check_in_shared(void* address, void* pc) {
    const u64 site = (u64)sites.known(pc) << 32;
    const size_t offset = (char*)address - shared_arena;
    if ((u64)address - (u64)block->shared < kSharedStride && site && units_are_plain<size, write>(shared_region, offset) &&
        cells_agree<size, write>(shared_region, offset, site, now.start, 0))
        return;
    check_fully<size, write>(address, pc);
}

// The short way for what most accesses are. What it is not sure of goes the long way.
template <u32 size, bool write>
[[gnu::always_inline]] inline void check_plain(void* address, void* pc) {
    if (attention || ++scheduler.patience > kPatience || (u64)address & (size - 1)) [[unlikely]]
        return check_fully<size, write>(address, pc);
    if (write) scheduler.changed = true;
    const size_t offset = (u64)address - (u64)heap;
    if (offset >= heap_bytes) return check_in_shared<size, write>(address, pc);
    const u64 site = (u64)sites.known(pc) << 32;
    if (site && units_are_plain<size, write>(heap_region, offset) &&
        cells_agree<size, write>(heap_region, offset, site, launch.joined, now.own_block))
        return;
    check_fully<size, write>(address, pc);
}

// A range that a library function or a compiler-made copy touches.
void check_range(const void* address, size_t bytes, AccessKind kind, void* pc) {
    if (!in_kernel) return check_host_access((char*)address, bytes, kind != AccessKind::kLoad, pc);
    char* p = (char*)address;
    if (bytes > 16 && (u64)p & 15 && is_misaligned((u64)p, bytes))
        bad_access("misaligned", pc, p, (u32)bytes, kind != AccessKind::kLoad, cudaErrorMisalignedAddress);
    const u32 step = ((u64)p | bytes) & 3 ? 1 : 4;
    for (size_t i = 0; i < bytes; i += step) check_access(p + i, step, kind, pc);
}
}  // namespace runtime
