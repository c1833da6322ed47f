// What kernels call: barriers, warp functions, shared memory, fences, atomics.
#include "streams.h"

using namespace runtime;
#define CALLER __builtin_return_address(0)

extern "C" {
void emulated_launch(const EmulatedLaunch* asked, void (*thread)(void*), void* parameters, size_t parameter_bytes) {
    launch_or_capture(*asked, thread, parameters, parameter_bytes, CALLER);
}

struct KnownKernel {
    const char* name;
    EmulatedLauncher launcher;
};
static std::unordered_map<const void*, KnownKernel> known_kernels;

void emulated_know_kernel(const void* kernel, const char* name, EmulatedLauncher launcher) { known_kernels[kernel] = {name, launcher}; }

int emulated_launch_without_type(const EmulatedLaunch* asked, const void* kernel, void** pointers) {
    const auto known = known_kernels.find(kernel);
    if (known == known_kernels.end()) {
        report_unsupported("a launch of a kernel whose pointer has lost its type");
        return last_error = cudaErrorNotSupported;
    }
    EmulatedLaunch launched = *asked;
    launched.kernel = known->second.name;
    known->second.launcher(&launched, kernel, pointers);
    return cudaPeekAtLastError();
}

// CUDA looks at the bounds before the launch. Here the first thread does, before anything else. Our occupancy queries do not know them, so
// what those propose is let through.
void emulated_launch_bounds(long long most) {
    const u64 threads = (u64)launch.block.x * launch.block.y * launch.block.z;
    if (!in_kernel || most <= 0 || threads <= (u64)most || threads <= (u64)proposed_block) return;
    if (kChecked)
        refused_launches.push_back({launch.pc, launch.kernel, std::string(launch.kernel) + " with " + std::to_string(threads) +
                                                              " threads a block, its __launch_bounds__ allow " + std::to_string(most),
                                    "launch_bounds_exceeded"});
    last_error = cudaErrorLaunchOutOfResources;
    launch.refused = current_thread().fiber;
    launch.aborted = true;
    back_to_scheduler();  // for good
}
void emulated_proposed_block(int threads) { proposed_block = std::max(proposed_block, threads); }

void emulated_barrier(int kind, int predicate, int* result, unsigned line, unsigned place) {
    Thread& thread = current_thread();
    thread.state = ThreadState::kAtBarrier;
    thread.operation = (u8)kind;
    thread.predicate = predicate != 0;
    thread.pc = CALLER;
    thread.barrier_place = (u64)line << 32 | place;
    back_to_scheduler();
    if (result) *result = (int)current_thread().result;
}

// A load through the read-only cache, which does not see what the launch writes, by whomever and however ordered.
void emulated_read_only(const void* address, unsigned bytes) {
    if (!kChecked || !in_kernel || !on_device(address)) return;
    const size_t at = (const char*)address - heap;
    if (!state_allows(heap_region, at, bytes)) return;  // the load itself is about to fail
    bool told = false;
    for_cells(heap_region, at, bytes, [&](const Cell& cell, u64, u32) {
        if (told || !epoch_of(cell.writer) || epoch_of(cell.writer) < launch.first) return;
        report_race("race_read_only", CALLER, "read by " + whereabouts(), sites.places[site_of(cell.writer)], {});
        told = true;
    });
}

void emulated_grid_sync() {
    if (!launch.cooperative) {
        report_finding("grid_sync_not_cooperative", CALLER, whereabouts());
        abort_launch(cudaErrorLaunchFailure);
    }
    Thread& thread = current_thread();
    thread.state = ThreadState::kAtGridSync;
    thread.pc = CALLER;
    back_to_scheduler();
}

uint64_t emulated_warp(int operation, unsigned mask, uint64_t value, int argument, int width) {
    Thread& thread = current_thread();
    const u32 lane = thread_index % kWarpLanes;
    thread.state = ThreadState::kInWarp;
    thread.operation = (u8)operation;
    thread.mask = mask;
    thread.value = value;
    thread.argument = argument;
    thread.width = (u8)std::clamp(width, 1, 32);
    thread.pc = CALLER;
    if (operation != kWarpActiveMask && !has(mask, lane)) {
        report_finding("warp_mask_excludes_caller", CALLER, "lane " + std::to_string(lane) + " of " + whereabouts());
        thread.mask |= 1u << lane;
    }
    back_to_scheduler();
    return current_thread().result;
}

int emulated_shared_slot(size_t bytes, size_t alignment, EmulatedPadding padding) {
    shared_slots.push_back({bytes, alignment, padding_offsets(bytes, padding)});
    return (int)shared_slots.size() - 1;
}

static size_t take_shared(size_t bytes, size_t alignment) {
    const size_t offset = (block->shared_used + alignment - 1) / alignment * alignment;
    block->shared_used = offset + bytes + (kChecked ? 64 : 0);  // a red zone behind each object
    if (block->shared_used > kSharedStride) {
        report_unsupported("more than 227 KiB of shared memory in a block");
        abort_launch(cudaErrorInvalidConfiguration);
    }
    if (kChecked) open_shared(block->shared + offset, bytes);
    return offset;
}

// CUDA looks at all of a block's shared memory before the launch. Here static objects become known when they are first used.
static void count_static_shared(size_t bytes, void* pc) {
    constexpr size_t kUsual = 48 << 10, kMost = 227 << 10;
    block->static_shared_bytes += bytes;
    const size_t total = block->static_shared_bytes + launch.dynamic_shared_bytes;
    const size_t allowed = allowed_dynamic_shared > (int)kUsual ? kMost : kUsual;
    if (block->static_shared_bytes <= kUsual && total <= allowed) return;
    if (kChecked)
        refused_launches.push_back({pc, launch.kernel, std::string(launch.kernel) + " with " + std::to_string(block->static_shared_bytes) +
                                                       " bytes of static and " + std::to_string(launch.dynamic_shared_bytes) +
                                                       " of dynamic shared memory, " + std::to_string(allowed) + " are allowed together"});
    abort_launch(cudaErrorInvalidValue);
}

void* emulated_shared(int slot) {
    if (block->slot_offset.size() <= (size_t)slot) block->slot_offset.resize(shared_slots.size(), 0);
    u32& offset = block->slot_offset[slot];
    if (!offset) {
        const SharedSlot& taken = shared_slots[slot];
        count_static_shared(taken.bytes, CALLER);
        offset = (u32)take_shared(taken.bytes, std::max<size_t>(16, taken.alignment));
        mark_padding(shared_region, block->shared + offset, taken.bytes, taken.bytes, taken.padding);
    }
    return block->shared + offset;
}

void* emulated_dynamic_shared(size_t element_bytes, EmulatedPadding padding) {
    if (!block->dynamic_offset) {
        block->dynamic_offset = take_shared(launch.dynamic_shared_bytes, 128);
        const char* const begin = block->shared + block->dynamic_offset;
        mark_padding(shared_region, begin, launch.dynamic_shared_bytes, element_bytes, padding_offsets(element_bytes, padding));
    }
    return block->shared + block->dynamic_offset;
}

unsigned emulated_lane() { return thread_index % kWarpLanes; }

// Cycles mean nothing here; a counter that grows is all that a program may rely on.
unsigned long long emulated_clock() {
    if (kChecked && in_kernel) report_finding("clock_read", CALLER, whereabouts());
    static u64 ticks = 0;
    return ticks += 32;
}

void emulated_fence(int device_wide) {
    if (kChecked && in_kernel) fence(device_wide != 0);
}

void emulated_trap() {
    report_finding("trap", CALLER, whereabouts());
    abort_launch(cudaErrorLaunchFailure);
}

void emulated_sleep() { yield(CALLER); }

void __assert_fail(const char* condition, const char*, unsigned, const char*) {
    if (in_kernel) {
        report_finding("device_assert", CALLER, std::string(condition).substr(0, 200) + " by " + whereabouts());
        abort_launch(cudaErrorAssert);
    }
    fprintf(stderr, "assertion failed: %s\n", condition);
    std::abort();
}
}

namespace {
template <class T, class Signed>
T updated(T old, int operation, T value) {
    switch (operation) {
        case kAtomicAdd: return old + value;
        case kAtomicSub: return old - value;
        case kAtomicExchange: return value;
        case kAtomicMinUnsigned: return std::min(old, value);
        case kAtomicMaxUnsigned: return std::max(old, value);
        case kAtomicMinSigned: return (T)std::min((Signed)old, (Signed)value);
        case kAtomicMaxSigned: return (T)std::max((Signed)old, (Signed)value);
        case kAtomicAnd: return old & value;
        case kAtomicOr: return old | value;
        case kAtomicXor: return old ^ value;
        case kAtomicIncrement: return old >= value ? T(0) : T(old + 1);
        case kAtomicDecrement: return old == 0 || old > value ? value : T(old - 1);
        case kAtomicLoad: return old;
    }
    if constexpr (sizeof(T) == 4)
        if (operation == kAtomicAddFloat) return emulated::bits_to<T>(emulated::bits_to<float>(old) + emulated::bits_to<float>(value));
    if constexpr (sizeof(T) == 8)
        if (operation == kAtomicAddDouble) return emulated::bits_to<T>(emulated::bits_to<double>(old) + emulated::bits_to<double>(value));
    return old;
}

// One OS thread runs everything, so an update is atomic by itself; what remains is the check, and that a thread which waits for others by
// trying again and again lets them run.
void begin_atomic(void* address, u32 bytes, bool needs_value, void* pc, bool of_block) {
    if (kChecked)
        check_access(address, bytes, AccessKind::kAtomic, pc, true, needs_value, false, of_block);
    else if ((u64)address & (bytes - 1))
        abort_launch(cudaErrorMisalignedAddress);
}

template <class T, class Signed>
T atomic_update(void* address, int asked, T value, T compare, void* pc) {
    if (!in_kernel) return 0;
    const int operation = asked & ~kAtomicOfBlock;
    begin_atomic(address, sizeof(T), operation != kAtomicExchange, pc, asked & kAtomicOfBlock);
    T* const p = (T*)address;
    const T old = *p;
    if (operation != kAtomicCompareSwap)
        *p = updated<T, Signed>(old, operation, value);
    else if (old == compare)
        *p = value;
    if (*p != old)
        scheduler.changed = true;
    else
        read_in_vain((char*)address, pc);
    return old;
}
}  // namespace

extern "C" {
uint16_t emulated_atomic16(void* address, int operation, uint16_t value, uint16_t compare) {
    return atomic_update<u16, int16_t>(address, operation, value, compare, CALLER);
}
uint32_t emulated_atomic32(void* address, int operation, uint32_t value, uint32_t compare) {
    return atomic_update<u32, int32_t>(address, operation, value, compare, CALLER);
}
uint64_t emulated_atomic64(void* address, int operation, uint64_t value, uint64_t compare) {
    return atomic_update<u64, int64_t>(address, operation, value, compare, CALLER);
}
void emulated_atomic128(void* address, int asked, const void* value, const void* compare, void* old) {
    memset(old, 0, 16);
    if (!in_kernel) return;
    const int operation = asked & ~kAtomicOfBlock;
    begin_atomic(address, 16, operation != kAtomicExchange, CALLER, asked & kAtomicOfBlock);
    memcpy(old, address, 16);
    if (operation == kAtomicExchange || (operation == kAtomicCompareSwap && !memcmp(old, compare, 16)))
        memcpy(address, value, 16);
    if (memcmp(old, address, 16))
        scheduler.changed = true;
    else
        read_in_vain((char*)address, CALLER);
}
uint64_t emulated_atomic_update(void* address, size_t bytes, uint64_t value, uint64_t (*next)(uint64_t, uint64_t), int of_block) {
    if (!in_kernel) return 0;
    begin_atomic(address, (u32)bytes, true, CALLER, of_block != 0);
    u64 old = 0;
    memcpy(&old, address, bytes);
    const u64 wanted = next(old, value);
    memcpy(address, &wanted, bytes);
    scheduler.changed = true;
    return old;
}

int emulated_space(const void* address) {
    const char* p = (const char*)address;
    if (on_device(p)) return kSpaceGlobal;
    if (block && p >= block->shared && p < block->shared + kSharedStride) return kSpaceShared;
    if (p >= stacks_begin && p < stacks_end) return kSpaceLocal;
    if (p < variables_begin || p >= variables_end) return kSpaceOther;
    const DeviceVariable* variable = variable_at(p);
    return variable && variable->constant ? kSpaceConstant : kSpaceGlobal;
}
}
