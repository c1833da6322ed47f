// Operators and named functions that half and bfloat16 share. T is the scalar, T2 the pair.
#pragma once

#define EMULATED_HALF_BINARY(T, T2, OP, NAME)                                                  \
    EMULATED_INLINE T operator OP(T a, T b) { return T((float)a OP(float) b); }                \
    EMULATED_INLINE T& operator OP##=(T & a, T b) { return a = a OP b; }                       \
    EMULATED_INLINE T __h##NAME(T a, T b) { return a OP b; }                                   \
    EMULATED_INLINE T __h##NAME##_rn(T a, T b) { return a OP b; }                              \
    EMULATED_INLINE T2 operator OP(T2 a, T2 b) { return {a.x OP b.x, a.y OP b.y}; }            \
    EMULATED_INLINE T2& operator OP##=(T2 & a, T2 b) { return a = a OP b; }                    \
    EMULATED_INLINE T2 __h##NAME##2(T2 a, T2 b) { return a OP b; }
#define EMULATED_HALF_COMPARE(T, OP, NAME)                                                     \
    EMULATED_INLINE bool operator OP(T a, T b) { return (float)a OP(float) b; }                \
    EMULATED_INLINE bool __h##NAME(T a, T b) { return (float)a OP(float) b; }
#define EMULATED_HALF_FUNCTION(T, T2, NAME, FUNCTION)                                          \
    EMULATED_INLINE T NAME(T x) { return T(FUNCTION((float)x)); }                              \
    EMULATED_INLINE T2 h2##NAME(T2 x) { return {T(FUNCTION((float)x.x)), T(FUNCTION((float)x.y))}; }
#define EMULATED_HALF_OPERATIONS(T, T2)                                                        \
    EMULATED_HALF_BINARY(T, T2, +, add)                                                        \
    EMULATED_HALF_BINARY(T, T2, -, sub)                                                        \
    EMULATED_HALF_BINARY(T, T2, *, mul)                                                        \
    EMULATED_HALF_BINARY(T, T2, /, div)                                                        \
    EMULATED_HALF_COMPARE(T, ==, eq)                                                           \
    EMULATED_HALF_COMPARE(T, !=, ne)                                                           \
    EMULATED_HALF_COMPARE(T, <, lt)                                                            \
    EMULATED_HALF_COMPARE(T, <=, le)                                                           \
    EMULATED_HALF_COMPARE(T, >, gt)                                                            \
    EMULATED_HALF_COMPARE(T, >=, ge)                                                           \
    EMULATED_INLINE T operator-(T a) { return T(-(float)a); }                                  \
    EMULATED_INLINE T2 operator-(T2 a) { return {-a.x, -a.y}; }                                \
    EMULATED_INLINE T __hneg(T a) { return -a; }                                               \
    EMULATED_INLINE T2 __hneg2(T2 a) { return -a; }                                            \
    EMULATED_INLINE T __habs(T a) { return T(__builtin_fabsf((float)a)); }                     \
    EMULATED_INLINE T2 __habs2(T2 a) { return {__habs(a.x), __habs(a.y)}; }                    \
    EMULATED_INLINE T __hmax(T a, T b) { return T(__builtin_fmaxf((float)a, (float)b)); }      \
    EMULATED_INLINE T __hmin(T a, T b) { return T(__builtin_fminf((float)a, (float)b)); }      \
    EMULATED_INLINE T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }    \
    EMULATED_INLINE T2 __hmin2(T2 a, T2 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }    \
    EMULATED_INLINE T __hfma(T a, T b, T c) {                                                  \
        return T((float)__builtin_fma((double)(float)a, (double)(float)b, (double)(float)c));  \
    }                                                                                          \
    EMULATED_INLINE T2 __hfma2(T2 a, T2 b, T2 c) {                                             \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                 \
    }                                                                                          \
    EMULATED_INLINE bool __hisnan(T a) { return (float)a != (float)a; }                        \
    EMULATED_INLINE int __hisinf(T a) { return __builtin_isinf((float)a); }                    \
    EMULATED_HALF_FUNCTION(T, T2, hexp, expf)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, hexp2, exp2f)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hlog, logf)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, hlog2, log2f)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hsqrt, sqrtf)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hrsqrt, rsqrtf)                                              \
    EMULATED_HALF_FUNCTION(T, T2, hrcp, 1.0f /)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hsin, sinf)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, hcos, cosf)                                                  \
    EMULATED_HALF_FUNCTION(T, T2, htanh, tanhf)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hceil, ceilf)                                                \
    EMULATED_HALF_FUNCTION(T, T2, hfloor, floorf)                                              \
    EMULATED_INLINE T atomicAdd(T* address, T value) {                                         \
        return emulated::add_by_swap<unsigned short>(address, value);                          \
    }                                                                                          \
    EMULATED_INLINE T2 atomicAdd(T2* address, T2 value) {                                      \
        return emulated::add_by_swap<unsigned>(address, value);                                \
    }
