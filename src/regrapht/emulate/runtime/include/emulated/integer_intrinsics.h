// Integer, bit and byte intrinsics, with their weights.
#pragma once

EMULATED_INLINE int __popc(unsigned x) { return emulated::weighs<1>(__builtin_popcount(x)); }
EMULATED_INLINE int __popcll(unsigned long long x) { return emulated::weighs<4>(__builtin_popcountll(x)); }
EMULATED_INLINE int __ffs(int x) { return emulated::weighs<3>(__builtin_ffs(x)); }
EMULATED_INLINE int __ffsll(long long x) { return emulated::weighs<11>(__builtin_ffsll(x)); }
EMULATED_INLINE int __clz(int x) { return emulated::weighs<2>(x ? __builtin_clz((unsigned)x) : 32); }
EMULATED_INLINE int __clzll(long long x) { return emulated::weighs<8>(x ? __builtin_clzll((unsigned long long)x) : 64); }
EMULATED_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return emulated::weighs<1>(__builtin_bswap32(x));
}
EMULATED_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));  // two
}
EMULATED_INLINE int __mul24(int a, int b) { return emulated::weighs<3>((int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8))); }
EMULATED_INLINE unsigned __umul24(unsigned a, unsigned b) { return emulated::weighs<3>((a & 0xffffffu) * (b & 0xffffffu)); }
EMULATED_INLINE int __mulhi(int a, int b) { return emulated::weighs<1>((int)(((long long)a * b) >> 32)); }
EMULATED_INLINE unsigned __umulhi(unsigned a, unsigned b) { return emulated::weighs<1>((unsigned)(((unsigned long long)a * b) >> 32)); }
EMULATED_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return emulated::weighs<7>((unsigned long long)(((unsigned __int128)a * b) >> 64));
}
EMULATED_INLINE long long __mul64hi(long long a, long long b) { return emulated::weighs<7>((long long)(((__int128)a * b) >> 64)); }
EMULATED_INLINE int __sad(int a, int b, unsigned c) { return emulated::weighs<1>((int)((a > b ? a - b : b - a) + c)); }
EMULATED_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return emulated::weighs<1>((a > b ? a - b : b - a) + c); }
EMULATED_INLINE int __hadd(int a, int b) { return emulated::weighs<3>((int)(((long long)a + b) >> 1)); }
EMULATED_INLINE int __rhadd(int a, int b) { return emulated::weighs<3>((int)(((long long)a + b + 1) >> 1)); }
EMULATED_INLINE unsigned __uhadd(unsigned a, unsigned b) { return emulated::weighs<3>((unsigned)(((unsigned long long)a + b) >> 1)); }
EMULATED_INLINE unsigned __urhadd(unsigned a, unsigned b) { return emulated::weighs<3>((unsigned)(((unsigned long long)a + b + 1) >> 1)); }
EMULATED_INLINE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)high << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) result |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return emulated::weighs<2>(result);
}
EMULATED_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return emulated::weighs<1>((unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32));
}
EMULATED_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return emulated::weighs<1>((unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31)));
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
    return emulated::weighs<1>(c);
}
template <class Half, class Byte, class T>
EMULATED_INLINE T dot2(T a, T b, T c, int first_byte) {
    for (int i = 0; i < 2; i++) c += (T)(Half)(a >> 16 * i) * (T)(Byte)(b >> 8 * (first_byte + i));
    return emulated::weighs<1>(c);
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
