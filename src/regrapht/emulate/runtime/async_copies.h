// Asynchronous copies into shared memory (cp.async): the source is read when the copy is asked for, the destination has its value when the
// thread that asked has waited for the copy. Until then it belongs to the copy: whoever touches it is told of.
#pragma once
#include "access_checks.h"

namespace runtime {
constexpr u8 kUnderCopy = kFreed;  // of a unit of shared memory, which nobody frees: words of it wait for a copy

// Words that wait for a copy, with the place that asked for it.
std::unordered_map<const char*, void*> words_under_copy;

inline const char* word_of(const char* p) { return (const char*)((u64)p & ~3ull); }

void begin_copy_into(char* to, u32 bytes, void* pc) {
    if (!kChecked) return;
    for (const char* word = word_of(to); word < to + bytes; word += 4) {
        words_under_copy[word] = pc;
        shared_region.state[(word - shared_arena) >> 3] |= kUnderCopy;
    }
}

void end_copy_into(char* to, u32 bytes) {
    if (!kChecked) return;
    for (const char* word = word_of(to); word < to + bytes; word += 4) {
        words_under_copy.erase(word);
        const char* const other = (const char*)((u64)word ^ 4);
        if (!words_under_copy.count(other)) shared_region.state[(word - shared_arena) >> 3] &= ~kUnderCopy;
    }
}

// Of an access to a unit of shared memory that has words under copy.
[[gnu::noinline]] void use_of_copied(const Access& access) {
    for (const char* word = word_of(access.address); word < access.address + access.size; word += 4) {
        const auto known = words_under_copy.find(word);
        if (known == words_under_copy.end()) continue;
        report_race("race_async_copy", access.pc, std::string(access.writes() ? "write by " : "read by ") + whereabouts(), known->second, {});
        return;
    }
}

void forget_copies(const char* arena) {
    std::erase_if(words_under_copy, [arena](auto& each) { return (u64)each.first - (u64)arena < kSharedStride; });
}

void finish_copy(const AsyncCopy& copy) {
    end_copy_into(copy.to, copy.bytes);
    if (kChecked) check_access(copy.to, copy.bytes, AccessKind::kStore, copy.pc);
    memcpy(copy.to, copy.data, copy.bytes);
}

// The running thread waits for all of its groups of copies but the last `left`.
void wait_for_copies(u32 left) {
    Thread& thread = current_thread();
    if (thread.copies.empty()) return;
    const std::vector<AsyncCopy> asked = std::exchange(thread.copies, {});
    for (const AsyncCopy& copy : asked)
        if (copy.group + left < thread.copy_groups) finish_copy(copy);
        else current_thread().copies.push_back(copy);
    pending_write_done();
}
}  // namespace runtime

extern "C" {
// `from`: a copy of the source, on the thread's own stack.
void emulated_async_copy(void* to, const void* from, unsigned bytes) {
    using namespace runtime;
    void* const pc = __builtin_return_address(0);
    AsyncCopy copy{(char*)to, bytes, current_thread().copy_groups, pc, {}};
    memcpy(copy.data, from, bytes);
    if ((u64)to - (u64)block->shared >= kSharedStride) {  // only copies into shared memory are asynchronous
        if (kChecked) check_access(to, bytes, AccessKind::kStore, pc);
        memcpy(to, from, bytes);
        return;
    }
    if (kChecked) {
        if (!state_allows(shared_region, (char*)to - shared_arena, bytes))
            bad_access("shared_oob", pc, (char*)to, bytes, true, cudaErrorIllegalAddress);
        if ((u64)to & (bytes - 1)) bad_access("misaligned", pc, (char*)to, bytes, true, cudaErrorMisalignedAddress);
    }
    begin_copy_into(copy.to, bytes, pc);
    current_thread().copies.push_back(copy);
}
void emulated_async_commit() { runtime::current_thread().copy_groups++; }
void emulated_async_wait(unsigned left) { runtime::wait_for_copies(left); }
}
