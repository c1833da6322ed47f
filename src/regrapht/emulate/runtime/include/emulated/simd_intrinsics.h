// Functions on the two halves or four bytes of a 32-bit word, and the fused minimum and maximum family.
#pragma once

namespace emulated {
// f(a_i, b_i) for each lane of BITS bits, read as S (signed) or unsigned; the result is cut to the lane.
template <int BITS, bool SIGNED, class F>
EMULATED_INLINE auto lanewise(unsigned a, unsigned b, F f) {
    unsigned result = 0;
    constexpr unsigned lane_mask = (1u << BITS) - 1;
    for (int shift = 0; shift < 32; shift += BITS) {
        const int x = SIGNED ? (int)(a << (32 - BITS - shift)) >> (32 - BITS) : (int)(a >> shift & lane_mask);
        const int y = SIGNED ? (int)(b << (32 - BITS - shift)) >> (32 - BITS) : (int)(b >> shift & lane_mask);
        result |= ((unsigned)f(x, y) & lane_mask) << shift;
    }
    return result;
}
template <int BITS, bool SIGNED, class F>
EMULATED_INLINE auto lane_sum(unsigned a, unsigned b, F f) {
    unsigned sum = 0;
    lanewise<BITS, SIGNED>(a, b, [&](int x, int y) { return sum += (unsigned)f(x, y), 0; });
    return sum;
}
// One for sums, differences and extremes of halves and for sums of differences, about five for the rest: so nvcc makes them for
// compute capability 9.0.
constexpr unsigned lanes_weight(const char* name, int lanes) {
    const char a = name[3], b = name[4], c = name[5];  // __vadd, __vmaxs, __vabsdiffu ...
    const bool plain = ((a == 'a' && b == 'd') || (a == 's' && b == 'u')) && name[6] == 0;
    const bool extreme = a == 'm' && (b == 'a' || b == 'i');
    if (lanes == 2 && (plain || extreme)) return 1;
    return a == 'a' && b == 'b' && c == 's' && name[6] == 'd' ? 1 : 5;
}
EMULATED_INLINE int between(int low, int high, int x) { return x < low ? low : x > high ? high : x; }
}  // namespace emulated

#define EMULATED_LANES(NAME, COUNT, BITS, SIGNED, EXPRESSION)                                                           \
    EMULATED_INLINE unsigned NAME##COUNT(unsigned a, unsigned b) {                                                      \
        [[maybe_unused]] constexpr int lowest = -(1 << (BITS - 1)), highest = (1 << (BITS - 1)) - 1, all = (1 << BITS) - 1; \
        return emulated::weighs<emulated::lanes_weight(#NAME, COUNT)>(                                                   \
            emulated::lanewise<BITS, SIGNED>(a, b, [](int x, int y) { return EXPRESSION; }));                           \
    }
#define EMULATED_LANES1(NAME, COUNT, BITS, EXPRESSION)                                                                  \
    EMULATED_INLINE unsigned NAME##COUNT(unsigned a) {                                                                  \
        [[maybe_unused]] constexpr int highest = (1 << (BITS - 1)) - 1;                                                 \
        return emulated::weighs<emulated::lanes_weight(#NAME, COUNT)>(                                                   \
            emulated::lanewise<BITS, true>(a, 0, [](int x, int) { return EXPRESSION; }));                               \
    }
#define EMULATED_LANE_SUM(NAME, COUNT, BITS, SIGNED)                                                                    \
    EMULATED_INLINE unsigned NAME##COUNT(unsigned a, unsigned b) {                                                      \
        return emulated::weighs<1>(emulated::lane_sum<BITS, SIGNED>(a, b, [](int x, int y) { return x > y ? x - y : y - x; })); \
    }
#define EMULATED_BOTH_WIDTHS(MACRO, NAME, ...) MACRO(NAME, 2, 16, __VA_ARGS__) MACRO(NAME, 4, 8, __VA_ARGS__)
EMULATED_BOTH_WIDTHS(EMULATED_LANES1, __vabs, x < 0 ? -x : x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES1, __vabsss, x < -highest ? highest : x < 0 ? -x : x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES1, __vneg, -x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES1, __vnegss, x < -highest ? highest : -x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vadd, false, x + y)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vaddss, true, emulated::between(lowest, highest, x + y))
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vaddus, false, emulated::between(0, all, x + y))
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vsub, false, x - y)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vsubss, true, emulated::between(lowest, highest, x - y))
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vsubus, false, emulated::between(0, all, x - y))
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vavgs, true, (x + y + (x + y >= 0)) >> 1)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vavgu, false, (x + y + 1) >> 1)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vhaddu, false, (x + y) >> 1)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vabsdiffs, true, x > y ? x - y : y - x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vabsdiffu, false, x > y ? x - y : y - x)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vmaxs, true, x > y ? x : y)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vmaxu, false, x > y ? x : y)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vmins, true, x < y ? x : y)
EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vminu, false, x < y ? x : y)
EMULATED_BOTH_WIDTHS(EMULATED_LANE_SUM, __vsads, true)
EMULATED_BOTH_WIDTHS(EMULATED_LANE_SUM, __vsadu, false)
// Comparisons: all ones (__vcmp...) or one (__vset...) where it holds.
#define EMULATED_COMPARISON(SUFFIX, SIGNED, OP)                                     \
    EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vcmp##SUFFIX, SIGNED, x OP y ? -1 : 0)   \
    EMULATED_BOTH_WIDTHS(EMULATED_LANES, __vset##SUFFIX, SIGNED, x OP y ? 1 : 0)
EMULATED_COMPARISON(eq, false, ==)
EMULATED_COMPARISON(ne, false, !=)
EMULATED_COMPARISON(ges, true, >=)
EMULATED_COMPARISON(geu, false, >=)
EMULATED_COMPARISON(gts, true, >)
EMULATED_COMPARISON(gtu, false, >)
EMULATED_COMPARISON(les, true, <=)
EMULATED_COMPARISON(leu, false, <=)
EMULATED_COMPARISON(lts, true, <)
EMULATED_COMPARISON(ltu, false, <)
#undef EMULATED_COMPARISON
#undef EMULATED_BOTH_WIDTHS
#undef EMULATED_LANE_SUM
#undef EMULATED_LANES1
#undef EMULATED_LANES

// __vimax3_s32 and relatives: a minimum or maximum of three, of a sum and a bound, or with the word which one it was.
#define EMULATED_FUSED(SUFFIX, T)                                                                                      \
    EMULATED_INLINE T __vimax3_##SUFFIX(T a, T b, T c) { return max(max(a, b), c); }                                   \
    EMULATED_INLINE T __vimin3_##SUFFIX(T a, T b, T c) { return min(min(a, b), c); }                                   \
    EMULATED_INLINE T __viaddmax_##SUFFIX(T a, T b, T c) { return max((T)((unsigned)a + (unsigned)b), c); }            \
    EMULATED_INLINE T __viaddmin_##SUFFIX(T a, T b, T c) { return min((T)((unsigned)a + (unsigned)b), c); }            \
    EMULATED_INLINE T __vibmax_##SUFFIX(T a, T b, bool* first) { return (*first = a >= b) ? a : b; }                   \
    EMULATED_INLINE T __vibmin_##SUFFIX(T a, T b, bool* first) { return (*first = a <= b) ? a : b; }
EMULATED_FUSED(s32, int)
EMULATED_FUSED(u32, unsigned)
#undef EMULATED_FUSED
EMULATED_INLINE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
EMULATED_INLINE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
EMULATED_INLINE int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
EMULATED_INLINE int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
EMULATED_INLINE int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
EMULATED_INLINE int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
#define EMULATED_FUSED_PAIRS(SUFFIX, MAX, MIN)                                                                                       \
    EMULATED_INLINE unsigned __vimax3_##SUFFIX(unsigned a, unsigned b, unsigned c) { return MAX(MAX(a, b), c); }                     \
    EMULATED_INLINE unsigned __vimin3_##SUFFIX(unsigned a, unsigned b, unsigned c) { return MIN(MIN(a, b), c); }                     \
    EMULATED_INLINE unsigned __viaddmax_##SUFFIX(unsigned a, unsigned b, unsigned c) { return MAX(__vadd2(a, b), c); }               \
    EMULATED_INLINE unsigned __viaddmin_##SUFFIX(unsigned a, unsigned b, unsigned c) { return MIN(__vadd2(a, b), c); }
EMULATED_FUSED_PAIRS(s16x2, __vmaxs2, __vmins2)
EMULATED_FUSED_PAIRS(u16x2, __vmaxu2, __vminu2)
#undef EMULATED_FUSED_PAIRS
EMULATED_INLINE unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmaxs2(a, b), 0); }
EMULATED_INLINE unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vmaxs2(__vmins2(a, b), 0); }
EMULATED_INLINE unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimax3_s16x2(a, b, c), 0); }
EMULATED_INLINE unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__vimin3_s16x2(a, b, c), 0); }
EMULATED_INLINE unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmax_s16x2(a, b, c), 0); }
EMULATED_INLINE unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __vmaxs2(__viaddmin_s16x2(a, b, c), 0); }
