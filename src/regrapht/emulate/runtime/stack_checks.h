// The program's own arrays: in a build of their own the compiler surrounds each local variable whose address is taken, and each variable of
// the file, constant tables among them, with bytes that nobody may use, marks these in a shadow, and asks here at each access. What is
// neither a stack of a kernel's thread nor in the program's image is not looked at.
#pragma once
#include "device_variables.h"
#include "fibers.h"
#include "findings.h"

namespace runtime {
// A byte of shadow for 8 bytes: 0, all may be used; 1 to 7, that many of the first; else none. At the place that g++ is told of.
constexpr u64 kShadow = 0x7fff8000, kShadowedBegin = 0x7e0000000000, kShadowedEnd = 0x800000000000;

bool shadow_is_there = false;  // not where a program is only tried for loading

void map_shadow() {
    const u64 begin = (kShadowedBegin >> 3) + kShadow, bytes = (kShadowedEnd - kShadowedBegin) >> 3;
    void* const got = mmap((void*)begin, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void*)begin) return void(shadow_is_there = true);
    fprintf(stderr, "emulator: there is no room for the shadow of its arrays\n");
    _Exit(98);
}

inline bool may_be_used(u64 p) {
    const auto left = *(const signed char*)((p >> 3) + kShadow);
    return left == 0 || (left > 0 && (signed char)(p & 7) < left);
}

// What the compiler says of a variable of the file when the program is loaded.
struct FileVariable {
    char* begin;
    size_t bytes, with_margin;
    const void* told[5];
};

void keep_apart(const FileVariable& variable) {
    const u64 end = (u64)variable.begin + variable.bytes, last = (u64)variable.begin + variable.with_margin;
    if (!shadow_is_there || (u64)variable.begin < kShadowedBegin) return;
    for (u64 p = end & ~7ull; p < last; p += 8) *(signed char*)((p >> 3) + kShadow) = p < end ? (signed char)(end - p) : -1;
}

void look_at_own(const char* p, size_t size, bool write, void* pc) {
    const bool local = p >= stacks_begin && p < stacks_end;
    if (!in_kernel || (!local && (p < image_begin || p >= image_end)) || (u64)p < kShadowedBegin) return;
    for (size_t i = 0; i < size; i++) {
        if (may_be_used((u64)p + i)) continue;
        report_finding(local ? "local_oob" : "device_variable_oob", pc, (write ? "write by " : "read by ") + whereabouts());
        abort_launch(cudaErrorIllegalAddress);
    }
}
}  // namespace runtime

extern "C" {
#define LOCAL_HOOKS(SIZE)                                                                                                          \
    void __asan_load##SIZE##_noabort(const char* p) { look_at_own(p, SIZE, false, __builtin_return_address(0)); }                \
    void __asan_store##SIZE##_noabort(const char* p) { look_at_own(p, SIZE, true, __builtin_return_address(0)); }
LOCAL_HOOKS(1)
LOCAL_HOOKS(2)
LOCAL_HOOKS(4)
LOCAL_HOOKS(8)
LOCAL_HOOKS(16)
void __asan_loadN_noabort(const char* p, size_t size) { look_at_own(p, size, false, __builtin_return_address(0)); }
void __asan_storeN_noabort(const char* p, size_t size) { look_at_own(p, size, true, __builtin_return_address(0)); }
void __asan_handle_no_return() {}
// A variable of a block that was left, and one of a block that was entered.
void __asan_poison_stack_memory(char* p, size_t size) { memset((void*)(((u64)p >> 3) + kShadow), -1, (size + 7) / 8); }
void __asan_unpoison_stack_memory(char* p, size_t size) {
    memset((void*)(((u64)p >> 3) + kShadow), 0, size / 8);
    if (size % 8) *(signed char*)((((u64)p + size) >> 3) + kShadow) = (signed char)(size % 8);
}
void __asan_register_globals(const FileVariable* variables, size_t count) { std::for_each(variables, variables + count, keep_apart); }
void __asan_unregister_globals(const FileVariable*, size_t) {}
void __asan_before_dynamic_init(const char*) {}
void __asan_after_dynamic_init() {}
}
