// What a program's comparisons met: in the build of its own arrays the compiler calls these with both sides before each comparison, and
// with a list of cases before each `switch`.
#pragma once
#include "code_places.h"

namespace runtime {
constexpr u32 kMostComparisons = 4000;
struct Comparison {
    bool constant = false, met = false;
    u64 value = 0;
};
std::map<std::pair<const void*, u64>, Comparison> comparisons;  // by place, and by case of a switch
std::vector<Comparison*> by_offset;                              // of code: a hot loop is not looked up again

template <class T> void compared(T a, T b, bool constant, u64 value, const void* pc) {
    const size_t offset = (const char*)pc - text_begin;
    if (offset >= (size_t)(text_end - text_begin)) return;
    if (by_offset.empty()) by_offset.assign(text_end - text_begin, nullptr);
    Comparison*& known = by_offset[offset];
    if (!known) known = &comparisons[{pc, value}], known->constant = constant, known->value = value;
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
#define COMPARISON_HOOKS(SIZE, T, WIDE)                                                                                                \
    void __sanitizer_cov_trace_cmp##SIZE(T a, T b) { compared(a, b, false, 0, __builtin_return_address(0)); }                          \
    void __sanitizer_cov_trace_const_cmp##SIZE(T a, T b) { compared(a, b, true, (u64)(WIDE)a, __builtin_return_address(0)); }
COMPARISON_HOOKS(1, unsigned char, signed char)
COMPARISON_HOOKS(2, unsigned short, short)
COMPARISON_HOOKS(4, unsigned, int)
COMPARISON_HOOKS(8, unsigned long, long)
void __sanitizer_cov_trace_cmpf(float a, float b) { compared(a, b, false, 0, __builtin_return_address(0)); }
void __sanitizer_cov_trace_cmpd(double a, double b) { compared(a, b, false, 0, __builtin_return_address(0)); }
void __sanitizer_cov_trace_switch(unsigned long value, const unsigned long* cases) {
    compared_with_cases(value, (const u64*)cases, __builtin_return_address(0));
}
}
