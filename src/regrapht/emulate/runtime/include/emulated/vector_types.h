// float4 and its relatives with CUDA's sizes and alignments, and dim3.
#pragma once
#define EMULATED_VECTORS(T, N, ALIGN4)                                                          \
    struct N##1 {                                                                               \
        T x;                                                                                    \
    };                                                                                          \
    struct alignas(2 * sizeof(T)) N##2 {                                                        \
        T x, y;                                                                                 \
    };                                                                                          \
    struct N##3 {                                                                               \
        T x, y, z;                                                                              \
    };                                                                                          \
    struct alignas(ALIGN4) N##4 {                                                               \
        T x, y, z, w;                                                                           \
    };                                                                                          \
    EMULATED_INLINE constexpr N##1 make_##N##1(T x) { return {x}; }                             \
    EMULATED_INLINE constexpr N##2 make_##N##2(T x, T y) { return {x, y}; }                     \
    EMULATED_INLINE constexpr N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }             \
    EMULATED_INLINE constexpr N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATED_VECTORS(signed char, char, 4)
EMULATED_VECTORS(unsigned char, uchar, 4)
EMULATED_VECTORS(short, short, 8)
EMULATED_VECTORS(unsigned short, ushort, 8)
EMULATED_VECTORS(int, int, 16)
EMULATED_VECTORS(unsigned, uint, 16)
EMULATED_VECTORS(long, long, 16)
EMULATED_VECTORS(unsigned long, ulong, 16)
EMULATED_VECTORS(long long, longlong, 16)
EMULATED_VECTORS(unsigned long long, ulonglong, 16)
EMULATED_VECTORS(float, float, 16)
EMULATED_VECTORS(double, double, 16)
#undef EMULATED_VECTORS
// Four 8-byte elements with the alignment in the name.
#define EMULATED_WIDE(T, N, ALIGN)                                                                      \
    struct alignas(ALIGN) N##4_##ALIGN##a {                                                             \
        T x, y, z, w;                                                                                   \
    };                                                                                                  \
    EMULATED_INLINE constexpr N##4_##ALIGN##a make_##N##4_##ALIGN##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define EMULATED_BOTH_ALIGNMENTS(T, N) EMULATED_WIDE(T, N, 16) EMULATED_WIDE(T, N, 32)
EMULATED_BOTH_ALIGNMENTS(long, long)
EMULATED_BOTH_ALIGNMENTS(unsigned long, ulong)
EMULATED_BOTH_ALIGNMENTS(long long, longlong)
EMULATED_BOTH_ALIGNMENTS(unsigned long long, ulonglong)
EMULATED_BOTH_ALIGNMENTS(double, double)
#undef EMULATED_BOTH_ALIGNMENTS
#undef EMULATED_WIDE

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
