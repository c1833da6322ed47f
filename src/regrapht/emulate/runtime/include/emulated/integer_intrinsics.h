// Integer, bit and byte intrinsics, cache-hinted loads and stores, clocks.
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
EMULATED_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
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
EMULATED_INLINE int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; i++) c += (int)(signed char)(a >> 8 * i) * (int)(signed char)(b >> 8 * i);
    return c;
}
EMULATED_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; i++) c += (a >> 8 * i & 0xff) * (b >> 8 * i & 0xff);
    return c;
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

EMULATED_INLINE long long clock64() { return (long long)emulated_clock(); }
EMULATED_INLINE void __nanosleep(unsigned) { emulated_sleep(); }
EMULATED_INLINE void __trap() { emulated_trap(); }
