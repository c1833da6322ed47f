// What a program's comparisons met: in the build of its own arrays the compiler calls these with both sides before each comparison, and
// with a list of cases before each `switch`.
#pragma once
#include "code_places.h"

namespace runtime {
constexpr u32 kMostComparisons = 2000;
struct Comparison {
    bool constant = false, met = false;
    u64 value = 0;
};
std::map<std::pair<const void*, u64>, Comparison> comparisons;  // by place, and by case of a switch
std::vector<Comparison*> by_offset;                              // of code: a hot loop is not looked up again

void compared(u64 a, u64 b, bool constant, const void* pc) {
    const size_t offset = (const char*)pc - text_begin;
    if (offset >= (size_t)(text_end - text_begin)) return;
    if (by_offset.empty()) by_offset.assign(text_end - text_begin, nullptr);
    Comparison*& known = by_offset[offset];
    if (!known) known = &comparisons[{pc, constant ? a : 0}], known->constant = constant, known->value = constant ? a : 0;
    known->met |= a == b;
}

void compared_with_cases(u64 value, const u64* cases, const void* pc) {
    if (pc < text_begin || pc >= text_end) return;
    const u64 count = cases[0];
    for (u64 i = 2; i < count + 2; i++) {
        Comparison& one = comparisons[{pc, cases[i]}];
        one.constant = true, one.value = cases[i], one.met |= cases[i] == value;
    }
}
}  // namespace runtime

extern "C" {
#define COMPARISON_HOOKS(SIZE, T, WIDE)                                                                                             \
    void __sanitizer_cov_trace_cmp##SIZE(T a, T b) { compared((u64)(WIDE)a, (u64)(WIDE)b, false, __builtin_return_address(0)); }    \
    void __sanitizer_cov_trace_const_cmp##SIZE(T a, T b) { compared((u64)(WIDE)a, (u64)(WIDE)b, true, __builtin_return_address(0)); }
COMPARISON_HOOKS(1, unsigned char, signed char)
COMPARISON_HOOKS(2, unsigned short, short)
COMPARISON_HOOKS(4, unsigned, int)
COMPARISON_HOOKS(8, unsigned long, long)
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
void __sanitizer_cov_trace_switch(unsigned long value, const unsigned long* cases) {
    compared_with_cases(value, (const u64*)cases, __builtin_return_address(0));
}
}
