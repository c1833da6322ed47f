// Integer, bit and byte intrinsics, cache-hinted loads and stores, address spaces, clocks.
#pragma once

EMULATED_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
EMULATED_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMULATED_INLINE int __ffs(int x) { return __builtin_ffs(x); }
EMULATED_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
EMULATED_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
EMULATED_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
EMULATED_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
EMULATED_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
EMULATED_INLINE int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
EMULATED_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
EMULATED_INLINE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
EMULATED_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
EMULATED_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
EMULATED_INLINE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
EMULATED_INLINE int __sad(int a, int b, unsigned c) { return (int)((a > b ? a - b : b - a) + c); }
EMULATED_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
EMULATED_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
EMULATED_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
EMULATED_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
EMULATED_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
EMULATED_INLINE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)high << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) result |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}
EMULATED_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
EMULATED_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
EMULATED_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
EMULATED_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
// Dot products of bytes with bytes (__dp4a) and of 16-bit halves with the low or high two bytes (__dp2a).
namespace emulated {
template <class Byte, class T>
EMULATED_INLINE T dot4(T a, T b, T c) {
    for (int i = 0; i < 4; i++) c += (T)(Byte)(a >> 8 * i) * (T)(Byte)(b >> 8 * i);
    return c;
}
template <class Half, class Byte, class T>
EMULATED_INLINE T dot2(T a, T b, T c, int first_byte) {
    for (int i = 0; i < 2; i++) c += (T)(Half)(a >> 16 * i) * (T)(Byte)(b >> 8 * (first_byte + i));
    return c;
}
}  // namespace emulated
EMULATED_INLINE int __dp4a(int a, int b, int c) { return emulated::dot4<signed char>(a, b, c); }
EMULATED_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return emulated::dot4<unsigned char>(a, b, c); }
EMULATED_INLINE int __dp4a(char4 a, char4 b, int c) { return __dp4a(emulated::bits_to<int>(a), emulated::bits_to<int>(b), c); }
EMULATED_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return __dp4a(emulated::bits_to<unsigned>(a), emulated::bits_to<unsigned>(b), c);
}
EMULATED_INLINE int __dp2a_lo(int a, int b, int c) { return emulated::dot2<short, signed char>(a, b, c, 0); }
EMULATED_INLINE int __dp2a_hi(int a, int b, int c) { return emulated::dot2<short, signed char>(a, b, c, 2); }
EMULATED_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return emulated::dot2<unsigned short, unsigned char>(a, b, c, 0);
}
EMULATED_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return emulated::dot2<unsigned short, unsigned char>(a, b, c, 2);
}
EMULATED_INLINE int __dp2a_lo(short2 a, char4 b, int c) { return __dp2a_lo(emulated::bits_to<int>(a), emulated::bits_to<int>(b), c); }
EMULATED_INLINE int __dp2a_hi(short2 a, char4 b, int c) { return __dp2a_hi(emulated::bits_to<int>(a), emulated::bits_to<int>(b), c); }
EMULATED_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_lo(emulated::bits_to<unsigned>(a), emulated::bits_to<unsigned>(b), c);
}
EMULATED_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_hi(emulated::bits_to<unsigned>(a), emulated::bits_to<unsigned>(b), c);
}
// The position of the n-th set bit of `mask` counted from `base`, upwards for n > 0, downwards for n < 0; all ones when there is none.
EMULATED_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
    if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
    for (int at = (int)base, left = n < 0 ? -n : n; at >= 0 && at < 32; at += n < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0) return (unsigned)at;
    return ~0u;
}

#define EMULATED_LOAD(NAME) \
    template <class T>      \
    EMULATED_INLINE T NAME(const T* address) { return *address; }
EMULATED_LOAD(__ldg)
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldlu)
EMULATED_LOAD(__ldcv)
#undef EMULATED_LOAD
#define EMULATED_STORE(NAME) \
    template <class T>       \
    EMULATED_INLINE void NAME(T* address, emulated::same_t<T> value) { *address = value; }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

// Which memory a pointer leads to.
EMULATED_INLINE unsigned __isGlobal(const void* p) { return emulated_space(p) == kSpaceGlobal; }
EMULATED_INLINE unsigned __isShared(const void* p) { return emulated_space(p) == kSpaceShared; }
EMULATED_INLINE unsigned __isConstant(const void* p) { return emulated_space(p) == kSpaceConstant; }
EMULATED_INLINE unsigned __isLocal(const void* p) { return emulated_space(p) == kSpaceLocal; }

EMULATED_INLINE long long clock64() { return (long long)emulated_clock(); }
EMULATED_INLINE void __nanosleep(unsigned) { emulated_sleep(); }
EMULATED_INLINE void __trap() { emulated_trap(); }
