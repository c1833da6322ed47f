// What the compiler's access hooks call: who wrote, read and updated each byte last, by turn of every loop that is being watched.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {
constexpr std::size_t kOurs = 0x7761746368656421;
constexpr int kMostLoops = 256, kMostConflicts = 20000, kMostActive = 5, kMostCalls = 256;
constexpr long long kMostAccesses = 40000000;
struct Byte {
    uint32_t writer, first_reader, last_reader, exposed, first_updater, last_updater;  // turns of a loop, counted over the whole run from 1; 0 for none
};
struct Page {
    Byte byte[4096];
};
struct Range {
    const char* name;
    uintptr_t from, to;
    bool is_named;  // by the loop itself
};
struct Owner {
    const char *kind, *name;
    bool operator<(const Owner& o) const { return kind != o.kind ? kind < o.kind : name < o.name; }
};
const char *const kObject = "object", *const kArray = "array", *const kOther = "other";
struct Conflict {
    long long count = 0;
    long long turns[2] = {0, 0};
    long long offset = 0;
    std::set<int> sites;
};
enum Kind { kCarried, kOverwritten, kUpdated, kExposed };  // read of another turn's value; write over it; updates alone; the value before
const char* const kKinds[] = {"carried", "overwritten", "updated", "exposed"};

struct Loop {
    std::unordered_map<uintptr_t, Page*> pages;
    uintptr_t last_number = ~0ull;
    Page* last_page = nullptr;
    std::vector<Range> objects;
    uintptr_t frame = 0;  // of the function that it stands in: what lies above is its callers'
    std::map<std::pair<Owner, int>, Conflict> conflicts;
    uint32_t counter = 0, first = 0, now = 0;  // all turns so far; those of this entry
    long long turns = 0, entries = 0, most_turns = 0, this_turns = 0, conflict_count = 0;
    long long accesses[kMostCalls] = {};  // of each call
    bool active = false;
};

Loop* loops[kMostLoops];
int active[kMostActive], active_count = 0, depth_lost = 0;
std::vector<Range> arrays;
std::map<uintptr_t, std::pair<uintptr_t, uintptr_t>> buffers;  // start -> end, owner
long long all_accesses = 0, accesses_of_calls[kMostCalls] = {};
int calls = 0;  // that have ended
bool inside = false;
int paused = 0;
int update_site = -1;
struct Access {
    uintptr_t at;
    uint32_t size;
    bool is_write;
};
std::vector<Access>* window = nullptr;

struct Guard {
    bool before;
    Guard() : before(inside) { inside = true; }
    ~Guard() { inside = before; }
};

Loop& loop_of(int number) {
    if (loops[number] == nullptr) loops[number] = new Loop;
    return *loops[number];
}
Byte& shadow(Loop& loop, uintptr_t at) {
    if (at >> 12 != loop.last_number) {
        loop.last_number = at >> 12;
        Page*& page = loop.pages[loop.last_number];
        if (page == nullptr) page = (Page*)std::calloc(1, sizeof(Page));
        loop.last_page = page;
    }
    return loop.last_page->byte[at & 4095];
}
const Range* range_in(const std::vector<Range>& ranges, uintptr_t at) {
    const Range* found = nullptr;
    for (const Range& one : ranges)
        if (at >= one.from && at < one.to && (found == nullptr || one.to - one.from < found->to - found->from)) found = &one;
    return found;
}
// Whether a place is on the stack and may be of a turn alone: in a function that a turn calls, or a local of its own.
bool of_turn(const Loop& loop, uintptr_t at) {
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return at >= here - (1 << 16) && at < loop.frame;
}
// What a place belongs to: an array of the task, a variable that the loop names, one that it reaches by others, or memory without a name.
Owner owner_of(const Loop& loop, uintptr_t at, long long& offset) {
    bool is_owned = false;
    for (int depth = 0; depth < 4; ++depth) {
        if (const Range* object = range_in(loop.objects, at)) { offset = (long long)(at - object->from); return {object->is_named ? kObject : kOther, object->name}; }
        if (const Range* array = range_in(arrays, at)) { offset = (long long)(at - array->from); return {kArray, array->name}; }
        auto buffer = buffers.upper_bound(at);
        if (buffer == buffers.begin()) break;
        --buffer;
        if (at >= buffer->second.first || buffer->second.second == 0) break;
        at = buffer->second.second, is_owned = true;  // elements, of what lies there
    }
    offset = 0;
    return !is_owned && of_turn(loop, at) ? Owner{nullptr, nullptr} : Owner{kOther, "memory"};
}
void conflict(Loop& loop, Kind kind, uintptr_t at, uint32_t before, int site) {
    if (loop.conflict_count > 20LL * kMostConflicts) return;
    long long offset = 0;
    const Owner owner = owner_of(loop, at, offset);
    if (owner.kind == nullptr) return;
    ++loop.conflict_count;
    Conflict& found = loop.conflicts[{owner, kind}];
    if (found.count++ == 0) {
        found.turns[0] = (long long)before - loop.first;
        found.turns[1] = (long long)loop.now - loop.first;
        found.offset = offset;
    }
    if (site >= 0) found.sites.insert(site);
}
void one_byte(Loop& loop, uintptr_t at, bool is_write, int site) {
    Byte& b = shadow(loop, at);
    const uint32_t now = loop.now, first = loop.first;
    const bool written = b.writer >= first, updated = b.last_updater >= first;
    const bool by_other = written && b.writer != now;
    const uint32_t other_updater = !updated ? 0 : b.last_updater != now ? b.last_updater : b.first_updater != now ? b.first_updater : 0;
    const bool was_read = b.first_reader >= first;
    const uint32_t other_reader = was_read && b.last_reader != now ? b.last_reader : was_read && b.first_reader != now ? b.first_reader : 0;
    if (site >= 0 && !(written && !by_other && !updated)) {
        if (by_other) conflict(loop, kCarried, at, b.writer, -1);
        else if (other_reader) conflict(loop, kCarried, at, other_reader, -1);
        else if (other_updater) conflict(loop, kUpdated, at, other_updater, site);
        if (!updated) b.first_updater = now;
        b.last_updater = now;
        return;
    }
    if (is_write) {
        if (by_other) conflict(loop, kOverwritten, at, b.writer, -1);
        else if (other_updater) conflict(loop, kOverwritten, at, other_updater, -1);
        if (other_reader) conflict(loop, kOverwritten, at, other_reader, -1);
        if (b.exposed >= first) conflict(loop, kExposed, at, b.exposed, -1);
        b.writer = now, b.first_updater = b.last_updater = 0;
        return;
    }
    if (by_other) conflict(loop, kCarried, at, b.writer, -1);
    else if (other_updater) conflict(loop, kCarried, at, other_updater, -1);
    if (!written && b.exposed < first) b.exposed = now;
    if (!was_read) b.first_reader = now;
    b.last_reader = now;
}
void record(uintptr_t at, uint32_t size, bool is_write, int site) {
    for (int k = 0; k < active_count; ++k) {
        Loop& loop = *loops[active[k]];
        if (loop.now < loop.first || loop.now == 0) continue;
        ++loop.accesses[calls];
        if (loop.conflicts.size() > 0 && loop.conflict_count > 20LL * kMostConflicts) continue;
        for (uint32_t i = 0; i < size; ++i) one_byte(loop, at + i, is_write, site);
    }
}
void access(const void* p, unsigned long long size, bool is_write) {
    if (inside || paused > 0 || active_count == 0) {
        if (!inside) ++all_accesses, ++accesses_of_calls[calls];
        return;
    }
    Guard guard;
    ++all_accesses, ++accesses_of_calls[calls];
    if (update_site >= 0) { window->push_back({(uintptr_t)p, (uint32_t)size, is_write}); return; }
    record((uintptr_t)p, (uint32_t)size, is_write, -1);
}
void forget(uintptr_t at, unsigned long long bytes) {
    for (int k = 0; k < active_count; ++k) {
        Loop& loop = *loops[active[k]];
        for (unsigned long long i = 0; i < bytes; ++i) {
            auto page = loop.pages.find((at + i) >> 12);
            if (page == loop.pages.end()) { i |= 4095 - ((at + i) & 4095); continue; }
            page->second->byte[(at + i) & 4095] = Byte{};
        }
    }
}
void* taken(std::size_t size) {
    auto* memory = (std::size_t*)std::malloc(size + 16);
    if (memory == nullptr) std::abort();
    memory[0] = size, memory[1] = kOurs;
    if (inside) return memory + 2;  // for the containers here
    Guard guard;
    buffers[(uintptr_t)(memory + 2)] = {(uintptr_t)(memory + 2) + size, 0};
    return memory + 2;
}
void given(void* p) {
    if (p == nullptr) return;
    std::size_t* memory = (std::size_t*)p - 2;
    if (memory[1] != kOurs) return std::free(p);  // from a function that the library had built
    memory[1] = 0;
    if (inside) return std::free(memory);
    Guard guard;
    forget((uintptr_t)p, memory[0]);
    buffers.erase((uintptr_t)p);
    std::free(memory);
}
void report() {
    FILE* file = std::fopen("watched", "w");
    if (file == nullptr) std::abort();
    std::fprintf(file, "accesses");
    for (int call = 0; call < calls; ++call) std::fprintf(file, " %lld", accesses_of_calls[call]);
    for (int k = 0; k < kMostLoops; ++k) {
        if (loops[k] == nullptr) continue;
        const Loop& loop = *loops[k];
        std::fprintf(file, "\nloop %d %lld %lld %lld", k, loop.turns, loop.entries, loop.most_turns);
        for (int call = 0; call < calls; ++call) std::fprintf(file, " %lld", loop.accesses[call]);
        for (const auto& [key, found] : loop.conflicts) {
            std::fprintf(file, "\n%s %lld %lld %lld %lld ", kKinds[key.second], found.count, found.turns[0], found.turns[1], found.offset);
            for (int site : found.sites) std::fprintf(file, "%d,", site);
            std::fprintf(file, "; %s %s", key.first.kind, key.first.name);
        }
    }
    std::fprintf(file, "\nend\n");
    std::fclose(file);
}
}  // namespace

void* operator new(std::size_t size) { return taken(size); }
void* operator new[](std::size_t size) { return taken(size); }
void operator delete(void* p) noexcept { given(p); }
void operator delete[](void* p) noexcept { given(p); }
void operator delete(void* p, std::size_t) noexcept { given(p); }
void operator delete[](void* p, std::size_t) noexcept { given(p); }

extern "C" {
void watch_array(const char* name, const void* at, unsigned long long bytes) {
    Guard guard;
    arrays.push_back({name, (uintptr_t)at, (uintptr_t)at + bytes, true});
}
void watch_call_end() {
    Guard guard;
    arrays.clear();
    ++calls;
    report();
    if (calls == kMostCalls || all_accesses > kMostAccesses) std::_Exit(0);  // seen enough
}
void watch_begin(int number, const void* frame) {
    Guard guard;
    Loop& loop = loop_of(number);
    if (loop.active || active_count == kMostActive) { ++depth_lost; return; }
    loop.active = true;
    loop.first = loop.counter + 1, loop.now = 0, loop.this_turns = 0;
    loop.objects.clear();
    loop.frame = (uintptr_t)frame;
    ++loop.entries;
    active[active_count++] = number;
}
void watch_object(int number, const char* name, const void* at, unsigned long long bytes, bool is_named) {
    Guard guard;
    loop_of(number).objects.push_back({name, (uintptr_t)at, (uintptr_t)at + bytes, is_named});
}
void watch_turn(int number) {
    Loop& loop = *loops[number];
    loop.now = ++loop.counter;
    ++loop.turns;
    if (++loop.this_turns > loop.most_turns) loop.most_turns = loop.this_turns;
}
void watch_end(int number) {
    Loop& loop = *loops[number];
    if (depth_lost > 0 && (active_count == 0 || active[active_count - 1] != number)) { --depth_lost; return; }
    loop.active = false;
    if (active_count > 0) --active_count;
}
void watch_update_begin(int site) {
    Guard guard;
    if (window == nullptr) window = new std::vector<Access>;
    window->clear();
    update_site = site;
}
// The places written in the window are updated; what else was read in it is read.
void watch_update_end() {
    Guard guard;
    const int site = update_site;
    update_site = -1;
    for (const Access& each : *window) {
        bool is_target = each.is_write;
        for (const Access& other : *window) is_target |= other.is_write && other.at == each.at;
        if (!is_target) record(each.at, each.size, false, -1);
    }
    for (const Access& each : *window)
        if (each.is_write) record(each.at, each.size, true, site);
}
void watch_buffer(const void* at, unsigned long long bytes, const void* owner) {
    Guard guard;
    if (at != nullptr) buffers[(uintptr_t)at] = {(uintptr_t)at + bytes, (uintptr_t)owner};
}
void watch_moved(const void* from, const void* to, unsigned long long bytes) {
    Guard guard;
    for (int k = 0; k < active_count; ++k)
        for (unsigned long long i = 0; i < bytes; ++i) {
            const Byte before = shadow(*loops[active[k]], (uintptr_t)from + i);
            shadow(*loops[active[k]], (uintptr_t)to + i) = before;
        }
}
// Between these two, accesses are those of a container that makes room.
void watch_pause() { ++paused; }
void watch_resume() { --paused; }
#define HOOKS(n)                                                    \
    void __tsan_read##n(void* p) { access(p, n, false); }           \
    void __tsan_write##n(void* p) { access(p, n, true); }           \
    void __tsan_unaligned_read##n(void* p) { access(p, n, false); } \
    void __tsan_unaligned_write##n(void* p) { access(p, n, true); } \
    void __tsan_volatile_read##n(void* p) { access(p, n, false); }  \
    void __tsan_volatile_write##n(void* p) { access(p, n, true); }
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)
void __tsan_read_range(void* p, unsigned long n) { access(p, n, false); }
void __tsan_write_range(void* p, unsigned long n) { access(p, n, true); }
void __tsan_vptr_update(void** p, void*) { access(p, 8, true); }
void __tsan_vptr_read(void** p) { access(p, 8, false); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void* __real_memcpy(void*, const void*, std::size_t);
void* __real_memmove(void*, const void*, std::size_t);
void* __real_memset(void*, int, std::size_t);
void* __wrap_memcpy(void* a, const void* b, std::size_t n) { access(b, n, false), access(a, n, true); return __real_memcpy(a, b, n); }
void* __wrap_memmove(void* a, const void* b, std::size_t n) { access(b, n, false), access(a, n, true); return __real_memmove(a, b, n); }
void* __wrap_memset(void* a, int v, std::size_t n) { access(a, n, true); return __real_memset(a, v, n); }
}
