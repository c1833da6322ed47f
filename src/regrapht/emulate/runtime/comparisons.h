// What a program's comparisons met: in the build of its own arrays the compiler calls these with both sides before each comparison, and
// with a list of cases before each `switch`. Each basic block calls too: the first one behind a comparison is the way that was taken there.
#pragma once
#include "code_places.h"

namespace runtime {
constexpr u32 kMostComparisons = 4000;
struct Comparison {
    bool constant = false, of_thread = false;
    bool met = false, less = false, greater = false, below = false, above = false;  // the last two without a sign, or of floats
    u64 value = 0;
    const void* ways[2] = {};
    double sides[2] = {};  // of floats, those of the first time
    bool same[2] = {};     // and whether each stayed what it was
    double next[2] = {INFINITY, INFINITY};  // the smallest that the other side was beyond it
};
std::map<std::pair<const void*, u64>, Comparison> comparisons;  // by place, and by case of a switch
std::vector<Comparison*> by_offset;                              // of code: a hot loop is not looked up again
Comparison* on_the_way = nullptr;                                // the comparison that no block has followed yet

Comparison* comparison_at(bool constant, u64 value, const void* pc) {
    const size_t offset = (const char*)pc - text_begin;
    if (offset >= (size_t)(text_end - text_begin)) return nullptr;
    if (by_offset.empty()) by_offset.assign(text_end - text_begin, nullptr);
    Comparison*& known = by_offset[offset];
    if (!known) known = &comparisons[{pc, value}], known->constant = constant, known->value = value;
    known->of_thread |= in_kernel;
    return on_the_way = known;
}

template <class T, class Signed> void compared(T a, T b, bool constant, u64 value, const void* pc) {
    Comparison* const one = comparison_at(constant, value, pc);
    if (!one) return;
    one->met |= a == b;
    one->less |= (Signed)a < (Signed)b, one->greater |= (Signed)a > (Signed)b;
    one->below |= a < b, one->above |= a > b;
    if (constant && (Signed)b > (Signed)a) one->next[0] = std::min(one->next[0], (double)(Signed)b);
}

void compared_floats(double a, double b, const void* pc) {
    const bool begun = by_offset.empty() || !by_offset[(const char*)pc - text_begin];
    Comparison* const one = comparison_at(false, 0, pc);
    if (!one) return;
    const double sides[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (begun) one->sides[i] = sides[i];
        one->same[i] = (begun || one->same[i]) && memcmp(&one->sides[i], &sides[i], sizeof(double)) == 0;
        if (sides[1 - i] > sides[i]) one->next[i] = std::min(one->next[i], sides[1 - i]);
    }
    one->met |= a == b, one->below |= a < b, one->above |= a > b;
}

void compared_with_cases(u64 value, const u64* cases, const void* pc) {
    if (pc < text_begin || pc >= text_end) return;
    const u64 count = cases[0];
    for (u64 i = 2; i < count + 2; i++) {
        Comparison& one = comparisons[{pc, cases[i]}];
        one.constant = true, one.value = cases[i], one.met |= cases[i] == value;
    }
}

inline void block_begins(const void* pc) {
    if (!on_the_way) return;
    const void** const ways = on_the_way->ways;
    if (!ways[0]) ways[0] = pc;
    else if (ways[0] != pc) ways[1] = pc;
    on_the_way = nullptr;
}
}  // namespace runtime

extern "C" {
#define COMPARISON_HOOKS(SIZE, T, WIDE)                                                                                                \
    void __sanitizer_cov_trace_cmp##SIZE(T a, T b) { compared<T, WIDE>(a, b, false, 0, __builtin_return_address(0)); }                 \
    void __sanitizer_cov_trace_const_cmp##SIZE(T a, T b) { compared<T, WIDE>(a, b, true, (u64)(WIDE)a, __builtin_return_address(0)); }
COMPARISON_HOOKS(1, unsigned char, signed char)
COMPARISON_HOOKS(2, unsigned short, short)
COMPARISON_HOOKS(4, unsigned, int)
COMPARISON_HOOKS(8, unsigned long, long)
void __sanitizer_cov_trace_cmpf(float a, float b) { compared_floats(a, b, __builtin_return_address(0)); }
void __sanitizer_cov_trace_cmpd(double a, double b) { compared_floats(a, b, __builtin_return_address(0)); }
void __sanitizer_cov_trace_switch(unsigned long value, const unsigned long* cases) {
    compared_with_cases(value, (const u64*)cases, __builtin_return_address(0));
}
#ifdef REGRAPHT_STACKS
void __sanitizer_cov_trace_pc() { block_begins(__builtin_return_address(0)); }
#endif
}
