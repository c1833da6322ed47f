// Device memory: one reserved range with a guard band around every allocation. A checked build keeps a byte of shadow for each 8 bytes
// (how many of them may be used) and a race cell for each 4.
#pragma once
#include <sys/mman.h>
#include "races.h"

namespace runtime {
constexpr size_t kGuard = 256;
constexpr u8 kGuardPattern = 0xA7, kFreshPattern = 0xA5, kHostMayTouch = 0x80, kFreed = 0x40;

size_t heap_bytes = 4ull << 30;  // set before the first use
char* heap = nullptr;
u8* heap_shadow = nullptr;
Cell* heap_cells = nullptr;
Cell* shared_cells = nullptr;
size_t heap_used = 0;
struct Allocation {
    size_t bytes;
    bool host_too;
};
std::map<char*, Allocation> allocations;

void* reserve(size_t bytes) {
    void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        fprintf(stderr, "emulator: cannot reserve %zu bytes of address space\n", bytes);
        _Exit(98);
    }
    return range;
}

void prepare_memory() {
    heap_bytes = (heap_bytes + 4095) / 4096 * 4096;
    heap = (char*)reserve(heap_bytes);
    shared_arena = (char*)reserve(kSharedStride * kMaxResidentBlocks);
    if (!kChecked) return;
    heap_shadow = (u8*)reserve(heap_bytes / 8);
    heap_cells = (Cell*)reserve(heap_bytes / 4 * sizeof(Cell));
    shared_cells = (Cell*)reserve(kSharedStride * kMaxResidentBlocks / 4 * sizeof(Cell));
}

inline bool on_device(const void* p) { return (u64)p - (u64)heap < heap_bytes; }

void mark_written_by_host(const void* p, size_t bytes) {
    if (!kChecked || !bytes) return;
    const size_t first = (const char*)p - heap, end = first + bytes;
    for (size_t word = first / 4; word < (end + 3) / 4; word++) {
        const size_t from = std::max(first, word * 4) - word * 4, to = std::min(end, word * 4 + 4) - word * 4;
        const u32 mask = ((1u << to) - 1) & ~((1u << from) - 1);
        if (mask == 15)
            heap_cells[word] = kWrittenByHost;
        else
            heap_cells[word].writer.initialised |= mask;
    }
}

void copy_initialised(const char* to, const char* from, size_t bytes) {
    if (!kChecked || (to - heap) % 4 || (from - heap) % 4) return mark_written_by_host(to, bytes);
    for (size_t i = 0; i < (bytes + 3) / 4; i++) {
        Cell& cell = heap_cells[(to - heap) / 4 + i];
        cell = {};
        cell.writer.initialised = heap_cells[(from - heap) / 4 + i].writer.initialised;
    }
}

// nullptr when the range is used up.
char* allocate(size_t bytes, bool host_too) {
    const size_t span = (bytes + 255) / 256 * 256 + 2 * kGuard;
    if (bytes > heap_bytes || heap_used + span > heap_bytes) return nullptr;
    char* p = heap + heap_used + kGuard;
    heap_used += span;
    allocations[p] = {bytes, host_too};
    memset(p - kGuard, kGuardPattern, kGuard);
    memset(p + bytes, kGuardPattern, span - kGuard - bytes);
    memset(p, kFreshPattern, bytes);
    if (kChecked) {
        u8* shadow = heap_shadow + (p - heap) / 8;
        const u8 flags = host_too ? kHostMayTouch : 0;
        memset(shadow, 8 | flags, bytes / 8);
        if (bytes % 8) shadow[bytes / 8] = bytes % 8 | flags;
        if (host_too) mark_written_by_host(p, bytes);
    }
    return p;
}

bool release(void* pointer) {
    auto known = allocations.find((char*)pointer);
    if (known == allocations.end()) return false;
    if (kChecked) memset(heap_shadow + (known->first - heap) / 8, kFreed, (known->second.bytes + 7) / 8);
    allocations.erase(known);
    return true;
}

bool inside_allocation(const void* p, size_t bytes) {
    auto next = allocations.upper_bound((char*)p);
    if (next == allocations.begin()) return false;
    const auto& [start, allocation] = *std::prev(next);
    return (char*)p + bytes <= start + allocation.bytes;
}

inline bool guards_whole(const char* p, size_t bytes) {
    for (size_t i = 0; i < kGuard; i++)
        if ((u8)p[-1 - (long)i] != kGuardPattern || (u8)p[bytes + i] != kGuardPattern) return false;
    return true;
}

// A fresh heap for the next call; what was touched goes back to the operating system.
void reset_heap() {
    const size_t used = (heap_used + 32767) / 32768 * 32768;
    madvise(heap, std::min(used, heap_bytes), MADV_DONTNEED);
    if (kChecked) {
        madvise(heap_shadow, std::min(used, heap_bytes) / 8, MADV_DONTNEED);
        madvise(heap_cells, std::min(used, heap_bytes) / 4 * sizeof(Cell), MADV_DONTNEED);
    }
    allocations.clear();
    heap_used = 0;
}
}  // namespace runtime
