// Device memory: one reserved range with a guard band around every allocation. A checked build keeps for each 8 bytes how many of them may
// be used and which have a value, and a race cell for each 4 (for each byte, where bytes are accessed alone).
#pragma once
#include <sys/mman.h>
#include "races.h"
#include "registered_memory.h"

char emulated_unwritten[kUnwrittenBytes];

namespace runtime {
constexpr size_t kGuard = 256;
constexpr u8 kGuardPattern = 0xA7;
u32 fresh_pattern = 0xA5A5A5A5;  // what each word of memory holds that nobody has written
bool fills_shared = false;     // shared memory too; without it a block finds what the one before left

size_t heap_bytes = 4ull << 30;  // set before the first use
char* heap = nullptr;
size_t heap_used = 0;
struct Allocation {
    size_t bytes;
    EmulatedMemory memory;
    void* pc;           // where the candidate made it; nullptr: the harness did
    int argument = -1;  // which of the entry's arguments it is
};
std::map<char*, Allocation> allocations;
std::vector<std::pair<char*, size_t>> freed;
Region heap_region, shared_region;
size_t shared_opened = 0;  // the most that a block has used

void* reserve(size_t bytes) {
    void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
        fprintf(stderr, "emulator: cannot reserve %zu bytes of address space\n", bytes);
        _Exit(98);
    }
    return range;
}

Region checked_region(char* base, size_t bytes) {
    const auto flags = [bytes] { return (u8*)reserve(bytes / 8); };
    const auto cells = [bytes](u32 unit) { return (Cell*)reserve(bytes / unit * sizeof(Cell)); };
    const auto readers = [bytes](u32 unit) { return (u64*)reserve(bytes / unit * sizeof(u64)); };
    return {base, bytes, flags(), flags(), cells(4), cells(1), readers(4), readers(1)};
}

void prepare_memory() {
    heap_bytes = (heap_bytes + 4095) / 4096 * 4096;
    heap = (char*)reserve(heap_bytes);
    shared_arena = (char*)reserve(kSharedStride * kMaxResidentBlocks);
    if (kChecked) {
        heap_region = checked_region(heap, heap_bytes);
        shared_region = checked_region(shared_arena, kSharedStride * kMaxResidentBlocks);
        shared_region.shared = true;
    }
}

void fill_fresh(char* p, size_t bytes) {
    if (fresh_pattern == (fresh_pattern & 0xff) * 0x01010101u) memset(p, fresh_pattern & 0xff, bytes);
    else
        for (size_t at = 0; at < bytes; ++at) p[at] = fresh_pattern >> 8 * (((uintptr_t)p + at) % 4);
}

// What a local variable begins with that nobody gives a value: of these words another in each call.
std::vector<u32> local_words;
void fill_locals(u32 call) {
    const u32 word = local_words.empty() ? 0 : local_words[call % local_words.size()];
    for (size_t at = 0; at < kUnwrittenBytes; at += sizeof word) memcpy(emulated_unwritten + at, &word, sizeof word);
}

// The bytes of a block's shared memory that one object may use from now on. A block begins without any.
void open_shared(const char* p, size_t bytes) {
    if (fills_shared) fill_fresh((char*)p, bytes);
    u8* state = shared_region.state + (p - shared_arena) / 8;
    memset(state, 8, bytes / 8);
    if (bytes % 8) state[bytes / 8] = bytes % 8;
    shared_opened = std::max(shared_opened, (size_t)(p - shared_arena) % kSharedStride + bytes);
}
void close_shared(const char* arena) {
    const size_t first = (arena - shared_arena) / 8, units = (shared_opened + 7) / 8;
    memset(shared_region.state + first, 0, units);
    memset(shared_region.written + first, 0, units);
}

// The offsets of an object's bytes that have no value by its type.
std::vector<u32> padding_offsets(size_t bytes, EmulatedPadding clear) {
    std::vector<u32> offsets;
    if (!kChecked || !clear) return offsets;
    constexpr size_t kAlignment = 4096;
    std::vector<u8> room(bytes + kAlignment, 0xff);
    u8* const object = (u8*)(((u64)room.data() + kAlignment - 1) / kAlignment * kAlignment);
    const bool inside = std::exchange(in_kernel, false);  // these stores are not the kernel's
    clear(object);
    in_kernel = inside;
    for (u32 i = 0; i < bytes; i++)
        if (!object[i]) offsets.push_back(i);
    return offsets;
}

// Of the objects of `element` bytes that lie at `p`, nobody needs to write the padding.
void mark_padding(const Region& r, const char* p, size_t bytes, size_t element, const std::vector<u32>& offsets) {
    if (offsets.empty()) return;
    for (size_t first = p - r.base, end = first + bytes; first + element <= end; first += element)
        for (const u32 offset : offsets) {
            const size_t at = first + offset;
            if ((r.written[at >> 3] |= 1 << (at & 7)) == 0xff) r.state[at >> 3] |= kWhole;
        }
}

inline bool on_device(const void* p) { return (u64)p - (u64)heap < heap_bytes; }

// All of it has a value from now on; nobody has accessed it yet.
void mark_loaded(const void* p, size_t bytes) {
    if (!kChecked || !bytes) return;
    const Region& r = heap_region;
    const size_t first = (const char*)p - heap, end = first + bytes;
    for (size_t unit = first >> 3; unit <= (end - 1) >> 3; unit++) {
        const size_t from = std::max(first, unit << 3) & 7, to = std::min(end - (unit << 3), (size_t)8);
        r.written[unit] |= ((1u << (to - from)) - 1) << from;
        if (r.written[unit] == 0xff) r.state[unit] |= kWhole;
    }
}

// The host or a transfer has written it: earlier accesses no longer matter. `writer`: what its cells are to say.
void mark_written(const void* p, size_t bytes, u64 writer = 0) {
    if (!kChecked || !bytes) return;
    mark_loaded(p, bytes);
    for_cells(heap_region, (const char*)p - heap, bytes, [writer](Cell& cell, u64&, u32) {
        if (cell.writer != writer || cell.reader) cell = {writer, 0};
    });
}

inline Cell& cell_of(const Region& r, size_t offset) {
    return r.state[offset >> 3] & kSplit ? r.single[offset] : r.words[offset / 4];
}

inline bool host_may_touch(const void* p) { return heap_region.state[((const char*)p - heap) >> 3] & kHostMayTouch; }

// A copy inside the device takes along which bytes have a value, and whether they came from the host, as does what no kernel has written of
// memory that host and device share.
void copy_marks(const char* to, const char* from, size_t bytes, u64 writer) {
    if (!kChecked || !bytes) return;
    const Region& r = heap_region;
    const bool pinned = host_may_touch(from);
    const auto written_by = [&](u64 before) {
        if (pinned && (!before || copied_from_host(before))) return writer | kFromHost;
        return copied_from_host(before) ? epoch_of(writer) | (before & kSite) | kFromHost : writer;
    };
    std::vector<u8> had(bytes);
    std::vector<u64> origin(bytes);
    for (size_t i = 0, at = from - heap; i < bytes; i++, at++) {
        had[i] = r.written[at >> 3] >> (at & 7) & 1;
        origin[i] = written_by(cell_of(r, at).writer);
    }
    for (size_t i = 0, run = 0; i < bytes; i = run) {
        while (run < bytes && origin[run] == origin[i]) run++;
        mark_written(to + i, run - i, origin[i]);
    }
    for (size_t i = 0, at = to - heap; i < bytes; i++, at++)
        if (!had[i]) r.written[at >> 3] &= ~(1u << (at & 7)), r.state[at >> 3] &= ~kWhole;
}

// How many bytes of an array hold what the candidate copied there from host memory, and by which of its copies.
size_t bytes_from_host(const char* p, size_t bytes, u32& site) {
    size_t count = 0;
    for (size_t at = p - heap, end = at + bytes; at < end; at++) {
        const u64 writer = cell_of(heap_region, at).writer;
        if (copied_from_host(writer)) count++, site = site_of(writer);
    }
    return count;
}

constexpr size_t span_of(size_t bytes) { return (bytes + 255) / 256 * 256 + 2 * kGuard; }

char* open_allocation(char* p, size_t bytes, EmulatedMemory memory, void* pc) {
    const size_t span = span_of(bytes);
    allocations[p] = {bytes, memory, pc};
    memset(p - kGuard, kGuardPattern, kGuard);
    memset(p + bytes, kGuardPattern, span - kGuard - bytes);
    fill_fresh(p, bytes);
    if (kChecked) {
        u8* state = heap_region.state + (p - heap) / 8;
        const u8 flags = memory == kSharedWithHost ? kHostMayTouch : 0;
        memset(state, 8 | flags, bytes / 8);
        if (bytes % 8) state[bytes / 8] = bytes % 8 | flags;
        if (memory == kSharedWithHost) mark_loaded(p, bytes);
    }
    return p;
}

// nullptr when the range is used up.
char* allocate(size_t bytes, EmulatedMemory memory, void* pc = nullptr) {
    const size_t span = span_of(bytes);
    if (bytes > heap_bytes || heap_used + span > heap_bytes) return nullptr;
    char* p = heap + heap_used + kGuard;
    heap_used += span;
    return open_allocation(p, bytes, memory, pc);
}

// The same place once more, for an array of the harness; false where something else is there, or everything begins anew.
bool reallocate(char* p, size_t bytes) {
    if (p + bytes + kGuard > heap + heap_used || allocations.count(p)) return false;
    const auto next = allocations.lower_bound(p);
    if (next != allocations.end() && next->first < p + span_of(bytes)) return false;
    if (next != allocations.begin() && std::prev(next)->first + std::prev(next)->second.bytes + kGuard > p - kGuard) return false;
    std::erase_if(freed, [p](auto& f) { return f.first == p; });
    open_allocation(p, bytes, kDeviceMemory, nullptr);
    if (!kChecked || !bytes) return true;
    memset(heap_region.written + (p - heap) / 8, 0, (bytes + 7) / 8);
    for_cells(heap_region, p - heap, bytes, [](Cell& cell, u64&, u32) { cell = {}; });
    return true;
}

bool release(void* pointer) {
    auto known = allocations.find((char*)pointer);
    if (known == allocations.end()) return false;
    if (kChecked) memset(heap_region.state + (known->first - heap) / 8, kFreed, (known->second.bytes + 7) / 8);
    freed.push_back({known->first, known->second.bytes});
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

inline bool was_freed(const void* pointer) {
    return std::any_of(freed.begin(), freed.end(), [&](auto& f) { return f.first == pointer; });
}

void give_back(char* from, size_t bytes) {
    const size_t begin = (from - heap + 32767) / 32768 * 32768, end = (from + bytes - heap) / 32768 * 32768;
    if (end <= begin) return;
    madvise(heap + begin, end - begin, MADV_DONTNEED);
    if (!kChecked) return;
    const Region& r = heap_region;
    madvise(r.words + begin / 4, (end - begin) / 4 * sizeof(Cell), MADV_DONTNEED);
    madvise(r.single + begin, (end - begin) * sizeof(Cell), MADV_DONTNEED);
    madvise(r.word_readers + begin / 4, (end - begin) / 4 * sizeof(u64), MADV_DONTNEED);
    madvise(r.single_readers + begin, (end - begin) * sizeof(u64), MADV_DONTNEED);
    madvise(r.written + begin / 8, (end - begin) / 8, MADV_DONTNEED);
}

// Epochs begin anew: no cell may hold an old one.
void forget_epochs() {
    for (const Region& r : {heap_region, shared_region}) {
        madvise(r.words, r.bytes / 4 * sizeof(Cell), MADV_DONTNEED);
        madvise(r.single, r.bytes * sizeof(Cell), MADV_DONTNEED);
        madvise(r.word_readers, r.bytes / 4 * sizeof(u64), MADV_DONTNEED);
        madvise(r.single_readers, r.bytes * sizeof(u64), MADV_DONTNEED);
    }
    current_epoch = 16;
}

// Prepares for the next call. What the candidate has not freed stays as it is, since it may keep pointers to it; then no address is
// handed out again, and only pages go back to the operating system.
void reset_heap() {
    std::erase_if(allocations, [](auto& item) {
        if (item.second.pc) return false;
        if (kChecked) memset(heap_region.state + (item.first - heap) / 8, kFreed, (item.second.bytes + 7) / 8);
        freed.push_back({item.first, item.second.bytes});
        return true;
    });
    if (!allocations.empty()) {
        for (auto [p, bytes] : freed) give_back(p, bytes);
        return freed.clear();
    }
    const size_t used = std::min((heap_used + 32767) / 32768 * 32768, heap_bytes);
    give_back(heap, used);
    if (kChecked) madvise(heap_region.state, used / 8, MADV_DONTNEED);
    freed.clear();
    heap_used = 0;
}
}  // namespace runtime
