// Local arrays: in a build of their own the compiler surrounds each local variable whose address is taken with bytes that nobody may use, marks
// these in a shadow of the stack, and asks here at each access. What is no stack of a kernel's thread is not looked at.
#pragma once
#include "fibers.h"
#include "findings.h"

namespace runtime {
// A byte of shadow for 8 bytes: 0, all may be used; 1 to 7, that many of the first; else none. At the place that g++ is told of.
constexpr u64 kShadow = 0x7fff8000, kShadowedBegin = 0x7e0000000000, kShadowedEnd = 0x800000000000;

void map_shadow() {
    const u64 begin = (kShadowedBegin >> 3) + kShadow, bytes = (kShadowedEnd - kShadowedBegin) >> 3;
    void* const got = mmap((void*)begin, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void*)begin) return;
    fprintf(stderr, "emulator: there is no room for the shadow of stacks\n");
    _Exit(98);
}

inline bool may_be_used(u64 p) {
    const auto left = *(const signed char*)((p >> 3) + kShadow);
    return left == 0 || (left > 0 && (signed char)(p & 7) < left);
}

void look_at_local(const char* p, size_t size, bool write, void* pc) {
    if (!in_kernel || p < stacks_begin || p >= stacks_end || (u64)p < kShadowedBegin) return;
    for (size_t i = 0; i < size; i++) {
        if (may_be_used((u64)p + i)) continue;
        report_finding("local_oob", pc, (write ? "write by " : "read by ") + whereabouts());
        abort_launch(cudaErrorIllegalAddress);
    }
}
}  // namespace runtime

extern "C" {
#define LOCAL_HOOKS(SIZE)                                                                                                          \
    void __asan_load##SIZE##_noabort(const char* p) { look_at_local(p, SIZE, false, __builtin_return_address(0)); }                \
    void __asan_store##SIZE##_noabort(const char* p) { look_at_local(p, SIZE, true, __builtin_return_address(0)); }
LOCAL_HOOKS(1)
LOCAL_HOOKS(2)
LOCAL_HOOKS(4)
LOCAL_HOOKS(8)
LOCAL_HOOKS(16)
void __asan_loadN_noabort(const char* p, size_t size) { look_at_local(p, size, false, __builtin_return_address(0)); }
void __asan_storeN_noabort(const char* p, size_t size) { look_at_local(p, size, true, __builtin_return_address(0)); }
void __asan_handle_no_return() {}
}
