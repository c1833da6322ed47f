// Products modulo x^256 + 1 by transforms: products with roots need no remainder of 64 bits, because the quotient of a root by the prime is
// in the table beside it.
#include <cuda_runtime.h>

constexpr unsigned kPrime = 8380417, kScale = 8347681;  // kScale is the inverse of 256
constexpr unsigned kScaleQuotient = (unsigned)(((unsigned long long)kScale << 32) / kPrime);

// Powers of 1753, whose 256th power is -1, in the order of reversed bits; found by the compiler.
struct Roots {
    unsigned at[256], quotient[256];
};

constexpr Roots make_roots() {
    Roots roots{};
    unsigned long long power = 1;
    for (int k = 0; k < 256; ++k) {
        int reversed = 0;
        for (int bit = 0; bit < 8; ++bit) reversed |= (k >> bit & 1) << (7 - bit);
        roots.at[reversed] = (unsigned)power;
        roots.quotient[reversed] = (unsigned)((power << 32) / kPrime);
        power = power * 1753 % kPrime;
    }
    return roots;
}

__device__ const Roots kRoots = make_roots();

// x times a root, whose quotient 2^32 root / prime is known: two multiplications and a comparison in place of a 64-bit remainder.
__device__ unsigned times_root(unsigned x, uint2 root) {
    unsigned rest = x * root.x - __umulhi(x, root.y) * kPrime;
    return rest >= kPrime ? rest - kPrime : rest;
}

__device__ unsigned product(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y % kPrime); }
__device__ unsigned sum(unsigned x, unsigned y) { return x + y >= kPrime ? x + y - kPrime : x + y; }
__device__ unsigned difference(unsigned x, unsigned y) { return x >= y ? x - y : x + kPrime - y; }

__global__ void multiply(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out) {
    __shared__ unsigned left[256], right[256];
    __shared__ uint2 roots[256];
    int t = threadIdx.x;
    long long base = 256LL * blockIdx.x;
    for (int k = t; k < 256; k += 128) {
        left[k] = a[base + k];
        right[k] = b[base + k];
        roots[k] = make_uint2(kRoots.at[k], kRoots.quotient[k]);
    }
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        int group = t / half, at = group * 2 * half + t % half;
        uint2 root = roots[128 / half + group];
        unsigned p = times_root(left[at + half], root), q = times_root(right[at + half], root);
        left[at + half] = difference(left[at], p);
        left[at] = sum(left[at], p);
        right[at + half] = difference(right[at], q);
        right[at] = sum(right[at], q);
    }
    __syncthreads();
    for (int k = t; k < 256; k += 128) left[k] = product(left[k], right[k]);
    for (int half = 1; half <= 128; half *= 2) {
        __syncthreads();
        int group = t / half, at = group * 2 * half + t % half;
        unsigned p = left[at], q = left[at + half];
        left[at] = sum(p, q);
        left[at + half] = times_root(difference(q, p), roots[256 / half - 1 - group]);
    }
    __syncthreads();
    for (int k = t; k < 256; k += 128) out[base + k] = times_root(left[k], make_uint2(kScale, kScaleQuotient));
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    if (pairs > 0) multiply<<<pairs, 128>>>(a, b, out);
}
