// Arithmetic with a rounding mode of its own: __fadd_rn, __fmul_rz, __fma_ru ... and conversions.
#pragma once
#include <cfenv>

namespace emulated {
// Divisions, reciprocals and roots take many instructions, the rest one.
template <class T>
constexpr unsigned rounded_weight(const char* name) {
    const bool many = name[3] == 'd' && name[4] == 'i' || name[3] == 'r' || name[3] == 's' && name[4] == 'q';
    return !many ? 1 : sizeof(T) == 8 ? 16 : 10;
}
template <class T, class Operation>
__attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage)) auto rounded(int mode, Operation operation) {
    const int before = fegetround();
    fesetround(mode);
    volatile T result = operation();
    fesetround(before);
    return result;
}
}  // namespace emulated

#define EMULATED_DIRECTED(NAME, T, PARAMETERS, MODE, BODY)                                                                  \
    EMULATED_INLINE T NAME PARAMETERS {                                                                                      \
        return emulated::weighs<emulated::rounded_weight<T>(#NAME), 1>(                                                      \
            emulated::rounded<T>(MODE, [=]() __attribute__((no_sanitize("thread"))) -> T { BODY }));                         \
    }
#define EMULATED_NEAREST(NAME, T, PARAMETERS, EXPRESSION) \
    EMULATED_INLINE T NAME PARAMETERS {                   \
        T result = EXPRESSION;                            \
        EMULATED_KEEP(result);                            \
        return emulated::weighs<emulated::rounded_weight<T>(#NAME), 1>(result); \
    }
#define EMULATED_ROUNDED2(NAME, T, OP)                                                              \
    EMULATED_NEAREST(NAME##_rn, T, (T a, T b), a OP b)                                              \
    EMULATED_DIRECTED(NAME##_rz, T, (T a, T b), FE_TOWARDZERO, volatile T x = a; volatile T y = b; return x OP y;) \
    EMULATED_DIRECTED(NAME##_ru, T, (T a, T b), FE_UPWARD, volatile T x = a; volatile T y = b; return x OP y;)     \
    EMULATED_DIRECTED(NAME##_rd, T, (T a, T b), FE_DOWNWARD, volatile T x = a; volatile T y = b; return x OP y;)
#define EMULATED_ROUNDED1(NAME, T, EXPRESSION)                                                       \
    EMULATED_NEAREST(NAME##_rn, T, (T x), EXPRESSION)                                                \
    EMULATED_DIRECTED(NAME##_rz, T, (T a), FE_TOWARDZERO, volatile T x = a; return EXPRESSION;)      \
    EMULATED_DIRECTED(NAME##_ru, T, (T a), FE_UPWARD, volatile T x = a; return EXPRESSION;)          \
    EMULATED_DIRECTED(NAME##_rd, T, (T a), FE_DOWNWARD, volatile T x = a; return EXPRESSION;)
#define EMULATED_ROUNDED_FMA(NAME, T, FUSED)                                                         \
    EMULATED_INLINE T NAME##_rn(T a, T b, T c) { return emulated::weighs<1, 2>(FUSED(a, b, c)); }    \
    EMULATED_DIRECTED(NAME##_rz, T, (T a, T b, T c), FE_TOWARDZERO, volatile T x = a; return FUSED(x, b, c);) \
    EMULATED_DIRECTED(NAME##_ru, T, (T a, T b, T c), FE_UPWARD, volatile T x = a; return FUSED(x, b, c);)     \
    EMULATED_DIRECTED(NAME##_rd, T, (T a, T b, T c), FE_DOWNWARD, volatile T x = a; return FUSED(x, b, c);)
#define EMULATED_ROUNDED_CAST(NAME, FROM, TO)                                                        \
    EMULATED_INLINE TO NAME##_rn(FROM x) { return emulated::weighs<1>((TO)x); }                      \
    EMULATED_DIRECTED(NAME##_rz, TO, (FROM a), FE_TOWARDZERO, volatile FROM x = a; return (TO)x;)    \
    EMULATED_DIRECTED(NAME##_ru, TO, (FROM a), FE_UPWARD, volatile FROM x = a; return (TO)x;)        \
    EMULATED_DIRECTED(NAME##_rd, TO, (FROM a), FE_DOWNWARD, volatile FROM x = a; return (TO)x;)
EMULATED_ROUNDED2(__fadd, float, +)
EMULATED_ROUNDED2(__fsub, float, -)
EMULATED_ROUNDED2(__fmul, float, *)
EMULATED_ROUNDED2(__fdiv, float, /)
EMULATED_ROUNDED2(__dadd, double, +)
EMULATED_ROUNDED2(__dsub, double, -)
EMULATED_ROUNDED2(__dmul, double, *)
EMULATED_ROUNDED2(__ddiv, double, /)
EMULATED_ROUNDED1(__frcp, float, 1.0f / x)
EMULATED_ROUNDED1(__fsqrt, float, __builtin_sqrtf(x))
EMULATED_ROUNDED1(__drcp, double, 1.0 / x)
EMULATED_ROUNDED1(__dsqrt, double, __builtin_sqrt(x))
EMULATED_ROUNDED_FMA(__fmaf, float, __builtin_fmaf)
EMULATED_ROUNDED_FMA(__fmaf_ieee, float, __builtin_fmaf)
EMULATED_ROUNDED_FMA(__fma, double, __builtin_fma)
EMULATED_ROUNDED_CAST(__double2float, double, float)
EMULATED_ROUNDED_CAST(__int2float, int, float)
EMULATED_ROUNDED_CAST(__uint2float, unsigned, float)
EMULATED_ROUNDED_CAST(__ll2float, long long, float)
EMULATED_ROUNDED_CAST(__ull2float, unsigned long long, float)
EMULATED_ROUNDED_CAST(__ll2double, long long, double)
EMULATED_ROUNDED_CAST(__ull2double, unsigned long long, double)
EMULATED_INLINE double __int2double_rn(int x) { return emulated::weighs<1>((double)x); }
EMULATED_INLINE double __uint2double_rn(unsigned x) { return emulated::weighs<1>((double)x); }
#undef EMULATED_ROUNDED2
#undef EMULATED_ROUNDED1
#undef EMULATED_ROUNDED_FMA
#undef EMULATED_ROUNDED_CAST
#undef EMULATED_NEAREST
#undef EMULATED_DIRECTED

// Conversions to integers saturate, and a NaN becomes 0 (for 64-bit results: the lowest number), as on a GPU.
namespace emulated {
template <class To, class From>
EMULATED_INLINE To saturating(From x) {
    if (!(x == x)) return sizeof(To) == 8 ? (To)0x8000000000000000ull : To(0);
    if (x <= (From)std::numeric_limits<To>::min()) return std::numeric_limits<To>::min();
    if (x >= (From)std::numeric_limits<To>::max()) return std::numeric_limits<To>::max();
    return (To)x;
}
}  // namespace emulated
#define EMULATED_TO_INTEGER(NAME, FROM, TO)                                                               \
    EMULATED_INLINE TO NAME##_rn(FROM x) { return emulated::weighs<1>(emulated::saturating<TO>(std::nearbyint(x))); }          \
    EMULATED_INLINE TO NAME##_rz(FROM x) { return emulated::weighs<1>(emulated::saturating<TO>(std::trunc(x))); }              \
    EMULATED_INLINE TO NAME##_rd(FROM x) { return emulated::weighs<1>(emulated::saturating<TO>(std::floor(x))); }              \
    EMULATED_INLINE TO NAME##_ru(FROM x) { return emulated::weighs<1>(emulated::saturating<TO>(std::ceil(x))); }
EMULATED_TO_INTEGER(__float2int, float, int)
EMULATED_TO_INTEGER(__float2uint, float, unsigned)
EMULATED_TO_INTEGER(__float2ll, float, long long)
EMULATED_TO_INTEGER(__float2ull, float, unsigned long long)
EMULATED_TO_INTEGER(__double2int, double, int)
EMULATED_TO_INTEGER(__double2uint, double, unsigned)
EMULATED_TO_INTEGER(__double2ll, double, long long)
EMULATED_TO_INTEGER(__double2ull, double, unsigned long long)
#undef EMULATED_TO_INTEGER
