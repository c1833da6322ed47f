// Operators and named functions that half and bfloat16 share, computed in float and rounded once after every operation, as scalar CUDA
// code does. T is the scalar, T2 the pair; WORD is how T is spelt in names of conversions (`half`, `bfloat16`), PAIR how T2 is.
// T::rounded() and wide() are conversions without weight: an operation on T, or on both parts of T2, weighs one.
#pragma once

namespace emulated {
// A double as a float that still rounds correctly to 16 bits: cut short, with the last bit telling that something was cut.
EMULATED_INLINE float cut_to_float(double x) {
    const float nearest = (float)x;
    if ((double)nearest == x || !(x == x) || __builtin_isinf(nearest)) return nearest;
    unsigned bits = __float_as_uint(nearest);
    if (__builtin_fabs((double)nearest) > __builtin_fabs(x)) bits--;
    return __uint_as_float(bits | 1);
}
EMULATED_INLINE float larger(float a, float b) { return a != a ? b : b != b ? a : a > b || (a == b && !__builtin_signbit(a)) ? a : b; }
EMULATED_INLINE float smaller(float a, float b) { return a != a ? b : b != b ? a : a < b || (a == b && __builtin_signbit(a)) ? a : b; }
EMULATED_INLINE float fused(float a, float b, float c) { return cut_to_float(__builtin_fma((double)a, (double)b, (double)c)); }
EMULATED_INLINE float between_0_and_1(float x) { return x < 0 ? 0.0f : x > 1 ? 1.0f : x == x ? x : 0.0f; }
EMULATED_INLINE float at_least_0(float x) { return x > 0 ? x : x == x ? 0.0f : x; }

// What an atomic sum makes of the bits that were there; the sum is computed where the memory is locked.
template <class T>
uint64_t add_bits(uint64_t old, uint64_t value) {
    return bits_to<uint64_t>(bits_to<T>(old) + bits_to<T>(value));
}
}  // namespace emulated

#define EMULATED_HALF_BINARY(T, T2, OP, NAME, PAIR_NAME, ONE, TWO)                              \
    EMULATED_INLINE T operator OP(T a, T b) { return T::rounded(emulated::weighs<ONE, 1>(a.wide() OP b.wide())); } \
    EMULATED_INLINE T& operator OP##=(T& a, T b) { return a = a OP b; }                         \
    EMULATED_INLINE T __h##NAME(T a, T b) { return a OP b; }                                    \
    EMULATED_INLINE T2 operator OP(T2 a, T2 b) {                                                \
        return {T::rounded(emulated::weighs<TWO, 2>(a.x.wide() OP b.x.wide())), T::rounded(a.y.wide() OP b.y.wide())}; \
    }                                                                                           \
    EMULATED_INLINE T2& operator OP##=(T2& a, T2 b) { return a = a OP b; }                      \
    EMULATED_INLINE T2 PAIR_NAME(T2 a, T2 b) { return a OP b; }
#define EMULATED_HALF_SATURATED(T, T2, OP, NAME)                                                \
    EMULATED_INLINE T __h##NAME##_rn(T a, T b) { return a OP b; }                               \
    EMULATED_INLINE T2 __h##NAME##2_rn(T2 a, T2 b) { return a OP b; }                           \
    EMULATED_INLINE T __h##NAME##_sat(T a, T b) { return T::rounded(emulated::between_0_and_1((a OP b).wide())); } \
    EMULATED_INLINE T2 __h##NAME##2_sat(T2 a, T2 b) {                                           \
        const T2 r = a OP b;                                                                    \
        return {T::rounded(emulated::between_0_and_1(r.x.wide())), T::rounded(emulated::between_0_and_1(r.y.wide()))}; \
    }
// Ordered comparisons are false, unordered ones (`u`) true where an operand is not a number.
#define EMULATED_HALF_COMPARE(T, T2, OP, NAME)                                                  \
    EMULATED_INLINE bool __h##NAME(T a, T b) {                                                  \
        const float x = a.wide(), y = b.wide();                                                 \
        return emulated::weighs<1>(x OP y && x == x && y == y);                                 \
    }                                                                                           \
    EMULATED_INLINE bool __h##NAME##u(T a, T b) {                                               \
        const float x = a.wide(), y = b.wide();                                                 \
        return emulated::weighs<1>(x OP y || x != x || y != y);                                 \
    }                                                                                           \
    EMULATED_HALF_COMPARE_PAIR(T, T2, NAME)                                                     \
    EMULATED_HALF_COMPARE_PAIR(T, T2, NAME##u)
#define EMULATED_HALF_COMPARE_PAIR(T, T2, NAME)                                                 \
    EMULATED_INLINE T2 __h##NAME##2(T2 a, T2 b) {                                               \
        return {T::rounded(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), T::rounded(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)}; \
    }                                                                                           \
    EMULATED_INLINE bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); } \
    EMULATED_INLINE unsigned __h##NAME##2_mask(T2 a, T2 b) {                                    \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0);   \
    }
#define EMULATED_HALF_RELATION(T, T2, OP)                                                       \
    EMULATED_INLINE bool operator OP(T a, T b) { return emulated::weighs<1>(a.wide() OP b.wide()); } \
    EMULATED_INLINE bool operator OP(T2 a, T2 b) { return a.x OP b.x && a.y OP b.y; }
#define EMULATED_HALF_EXTREME(T, T2, NAME, FUNCTION)                                            \
    EMULATED_INLINE T NAME(T a, T b) { return T::rounded(emulated::weighs<1, 1>(emulated::FUNCTION(a.wide(), b.wide()))); } \
    EMULATED_INLINE T2 NAME##2(T2 a, T2 b) {                                                    \
        return {T::rounded(emulated::weighs<1, 2>(emulated::FUNCTION(a.x.wide(), b.x.wide()))), \
                T::rounded(emulated::FUNCTION(a.y.wide(), b.y.wide()))};                        \
    }                                                                                           \
    EMULATED_INLINE T NAME##_nan(T a, T b) { return a.wide() != a.wide() ? a : b.wide() != b.wide() ? b : NAME(a, b); } \
    EMULATED_INLINE T2 NAME##2_nan(T2 a, T2 b) { return {NAME##_nan(a.x, b.x), NAME##_nan(a.y, b.y)}; }
#define EMULATED_HALF_FUNCTION(T, T2, NAME, FUNCTION, INSTRUCTIONS)                             \
    EMULATED_INLINE T h##NAME(T x) { return T::rounded(emulated::weighs<INSTRUCTIONS, 10>(FUNCTION(x.wide()))); } \
    EMULATED_INLINE T2 h2##NAME(T2 x) { return {h##NAME(x.x), h##NAME(x.y)}; }
#define EMULATED_HALF_FUSED(T, T2, SUFFIX, AFTER)                                               \
    EMULATED_INLINE float __hfma##SUFFIX##_wide(T a, T b, T c) {                                \
        return AFTER(T::rounded(emulated::fused(a.wide(), b.wide(), c.wide())).wide());         \
    }                                                                                           \
    EMULATED_INLINE T __hfma##SUFFIX(T a, T b, T c) { return T::rounded(emulated::weighs<1, 2>(__hfma##SUFFIX##_wide(a, b, c))); } \
    EMULATED_INLINE T2 __hfma2##SUFFIX(T2 a, T2 b, T2 c) {                                      \
        return {T::rounded(emulated::weighs<1, 4>(__hfma##SUFFIX##_wide(a.x, b.x, c.x))), T::rounded(__hfma##SUFFIX##_wide(a.y, b.y, c.y))}; \
    }
#define EMULATED_HALF_TO_INTEGER(TO, NAME, T, FUNCTION)                                         \
    EMULATED_INLINE TO NAME(T h) { return emulated::weighs<1>(emulated::saturating<TO>(FUNCTION(h.wide()))); }
#define EMULATED_HALF_INTEGER(T, WORD, FROM, SHORT)                                             \
    EMULATED_HALF_TO_INTEGER(FROM, __##WORD##2##SHORT##_rn, T, __builtin_nearbyintf)            \
    EMULATED_HALF_TO_INTEGER(FROM, __##WORD##2##SHORT##_rz, T, __builtin_truncf)                \
    EMULATED_HALF_TO_INTEGER(FROM, __##WORD##2##SHORT##_rd, T, __builtin_floorf)                \
    EMULATED_HALF_TO_INTEGER(FROM, __##WORD##2##SHORT##_ru, T, __builtin_ceilf)                 \
    EMULATED_INLINE T __##SHORT##2##WORD##_rn(FROM x) { return T((double)x); }
#define EMULATED_HALF_OPERATIONS(T, T2, WORD, PAIR)                                             \
    EMULATED_HALF_BINARY(T, T2, +, add, __hadd2, 1, 1)                                                \
    EMULATED_HALF_BINARY(T, T2, -, sub, __hsub2, 1, 1)                                                \
    EMULATED_HALF_BINARY(T, T2, *, mul, __hmul2, 1, 1)                                                \
    EMULATED_HALF_BINARY(T, T2, /, div, __h2div, 13, 23)                                                \
    EMULATED_HALF_SATURATED(T, T2, +, add)                                                      \
    EMULATED_HALF_SATURATED(T, T2, -, sub)                                                      \
    EMULATED_HALF_SATURATED(T, T2, *, mul)                                                      \
    EMULATED_HALF_COMPARE(T, T2, ==, eq)                                                        \
    EMULATED_HALF_COMPARE(T, T2, !=, ne)                                                        \
    EMULATED_HALF_COMPARE(T, T2, <, lt)                                                         \
    EMULATED_HALF_COMPARE(T, T2, <=, le)                                                        \
    EMULATED_HALF_COMPARE(T, T2, >, gt)                                                         \
    EMULATED_HALF_COMPARE(T, T2, >=, ge)                                                        \
    EMULATED_HALF_RELATION(T, T2, ==)                                                           \
    EMULATED_HALF_RELATION(T, T2, !=)                                                           \
    EMULATED_HALF_RELATION(T, T2, <)                                                            \
    EMULATED_HALF_RELATION(T, T2, <=)                                                           \
    EMULATED_HALF_RELATION(T, T2, >)                                                            \
    EMULATED_HALF_RELATION(T, T2, >=)                                                           \
    EMULATED_INLINE T operator+(T a) { return a; }                                              \
    EMULATED_INLINE T operator-(T a) { return T::rounded(emulated::weighs<1, 1>(-a.wide())); }                                   \
    EMULATED_INLINE T2 operator-(T2 a) { return {-a.x, T::rounded(-a.y.wide())}; }                                 \
    EMULATED_INLINE T& operator++(T& a) { return a = a + T::rounded(1.0f); }                             \
    EMULATED_INLINE T& operator--(T& a) { return a = a - T::rounded(1.0f); }                             \
    EMULATED_INLINE T __hneg(T a) { return -a; }                                                \
    EMULATED_INLINE T2 __hneg2(T2 a) { return -a; }                                             \
    EMULATED_INLINE T __habs(T a) { return T::rounded(emulated::weighs<1, 1>(__builtin_fabsf(a.wide()))); }                      \
    EMULATED_INLINE T2 __habs2(T2 a) { return {__habs(a.x), T::rounded(__builtin_fabsf(a.y.wide()))}; }                     \
    EMULATED_HALF_EXTREME(T, T2, __hmax, larger)                                                \
    EMULATED_HALF_EXTREME(T, T2, __hmin, smaller)                                               \
    EMULATED_HALF_FUSED(T, T2, , )                                                              \
    EMULATED_HALF_FUSED(T, T2, _sat, emulated::between_0_and_1)                                               \
    EMULATED_HALF_FUSED(T, T2, _relu, emulated::at_least_0)                                     \
    EMULATED_INLINE T2 __hcmadd(T2 a, T2 b, T2 c) {                                             \
        return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))}; \
    }                                                                                           \
    EMULATED_INLINE bool __hisnan(T a) { return emulated::weighs<1>(a.wide() != a.wide()); }                         \
    EMULATED_INLINE T2 __hisnan2(T2 a) { return {T::rounded(__hisnan(a.x) ? 1.0f : 0.0f), T::rounded(__hisnan(a.y) ? 1.0f : 0.0f)}; } \
    EMULATED_INLINE int __hisinf(T a) { return emulated::weighs<2>(!__builtin_isinf(a.wide()) ? 0 : a.wide() > 0 ? 1 : -1); } \
    EMULATED_HALF_FUNCTION(T, T2, exp, expf, 10)                                                    \
    EMULATED_HALF_FUNCTION(T, T2, exp2, exp2f, 3)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, exp10, exp10f, 10)                                                \
    EMULATED_HALF_FUNCTION(T, T2, log, logf, 5)                                                    \
    EMULATED_HALF_FUNCTION(T, T2, log2, log2f, 3)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, log10, log10f, 5)                                                \
    EMULATED_HALF_FUNCTION(T, T2, sqrt, sqrtf, 3)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, rsqrt, emulated::reciprocal_root, 3)                                                \
    EMULATED_HALF_FUNCTION(T, T2, rcp, 1.0f /, 3)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, sin, sinf, 10)                                                    \
    EMULATED_HALF_FUNCTION(T, T2, cos, cosf, 10)                                                    \
    EMULATED_HALF_FUNCTION(T, T2, tanh, tanhf, 10)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, tanh_approx, tanhf, 1)                                           \
    EMULATED_HALF_FUNCTION(T, T2, ceil, ceilf, 1)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, floor, floorf, 1)                                                \
    EMULATED_HALF_FUNCTION(T, T2, trunc, truncf, 1)                                                \
    EMULATED_HALF_FUNCTION(T, T2, rint, rintf, 1)                                                  \
    EMULATED_HALF_INTEGER(T, WORD, int, int)                                                    \
    EMULATED_HALF_INTEGER(T, WORD, unsigned, uint)                                              \
    EMULATED_HALF_INTEGER(T, WORD, short, short)                                                \
    EMULATED_HALF_INTEGER(T, WORD, unsigned short, ushort)                                      \
    EMULATED_HALF_INTEGER(T, WORD, long long, ll)                                               \
    EMULATED_HALF_INTEGER(T, WORD, unsigned long long, ull)                                     \
    EMULATED_HALF_TO_INTEGER(signed char, __##WORD##2char_rz, T, __builtin_truncf)              \
    EMULATED_HALF_TO_INTEGER(unsigned char, __##WORD##2uchar_rz, T, __builtin_truncf)           \
    EMULATED_INLINE float __##WORD##2float(T h) { return (float)h; }                            \
    EMULATED_INLINE T __float2##WORD(float x) { return T(x); }                                  \
    EMULATED_INLINE T __float2##WORD##_rn(float x) { return T(x); }                             \
    EMULATED_INLINE T __double2##WORD(double x) { return T(x); }                                \
    EMULATED_INLINE unsigned short __##WORD##_as_ushort(T h) { return emulated::bits_to<unsigned short>(h); } \
    EMULATED_INLINE short __##WORD##_as_short(T h) { return emulated::bits_to<short>(h); }      \
    EMULATED_INLINE T __ushort_as_##WORD(unsigned short x) { return emulated::bits_to<T>(x); }  \
    EMULATED_INLINE T __short_as_##WORD(short x) { return emulated::bits_to<T>(x); }            \
    EMULATED_INLINE T2 make_##PAIR(T a, T b) { return {a, b}; }                                 \
    EMULATED_INLINE T2 __halves2##PAIR(T a, T b) { return {a, b}; }                             \
    EMULATED_INLINE T2 __##WORD##2##PAIR(T h) { return {h, h}; }                                \
    EMULATED_INLINE T2 __float2##PAIR##_rn(float x) { return {T(x), T::rounded(x)}; }                    \
    EMULATED_INLINE T2 __floats2##PAIR##_rn(float a, float b) { return {T(a), T::rounded(b)}; }          \
    EMULATED_INLINE T2 __float22##PAIR##_rn(float2 x) { return {T(x.x), T::rounded(x.y)}; }              \
    EMULATED_INLINE T __low2##WORD(T2 h) { return h.x; }                                        \
    EMULATED_INLINE T __high2##WORD(T2 h) { return h.y; }                                       \
    EMULATED_INLINE float __low2float(T2 h) { return (float)h.x; }                              \
    EMULATED_INLINE float __high2float(T2 h) { return (float)h.y; }                             \
    EMULATED_INLINE T2 __low2##PAIR(T2 h) { return {h.x, h.x}; }                                \
    EMULATED_INLINE T2 __high2##PAIR(T2 h) { return {h.y, h.y}; }                               \
    EMULATED_INLINE T2 __lows2##PAIR(T2 a, T2 b) { return {a.x, b.x}; }                         \
    EMULATED_INLINE T2 __highs2##PAIR(T2 a, T2 b) { return {a.y, b.y}; }                        \
    EMULATED_INLINE T2 __lowhigh2highlow(T2 h) { return {h.y, h.x}; }                           \
    EMULATED_INLINE T atomicAdd(T* address, T value) { return emulated::updated_with<emulated::add_bits<T>>(address, value); }     \
    EMULATED_INLINE T2 atomicAdd(T2* address, T2 value) { return emulated::updated_with<emulated::add_bits<T2>>(address, value); }
