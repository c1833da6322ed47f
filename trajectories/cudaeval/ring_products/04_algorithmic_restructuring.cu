// Products modulo x^256 + 1 by number-theoretic transforms: a block of 128 threads transforms both polynomials in eight layers of
// butterflies, multiplies them coefficient by coefficient and goes back. 3328 products in place of 65536.
#include <cuda_runtime.h>

constexpr unsigned kPrime = 8380417, kScale = 8347681;  // kScale is the inverse of 256

// Powers of 1753, whose 256th power is -1, in the order of reversed bits; found by the compiler.
struct Roots {
    unsigned at[256];
};

constexpr Roots make_roots() {
    Roots roots{};
    unsigned long long power = 1;
    for (int k = 0; k < 256; ++k) {
        int reversed = 0;
        for (int bit = 0; bit < 8; ++bit) reversed |= (k >> bit & 1) << (7 - bit);
        roots.at[reversed] = (unsigned)power;
        power = power * 1753 % kPrime;
    }
    return roots;
}

__constant__ Roots kRoots = make_roots();

__device__ unsigned product(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y % kPrime); }
__device__ unsigned sum(unsigned x, unsigned y) { return x + y >= kPrime ? x + y - kPrime : x + y; }
__device__ unsigned difference(unsigned x, unsigned y) { return x >= y ? x - y : x + kPrime - y; }

__global__ void multiply(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out) {
    __shared__ unsigned left[256], right[256];
    int t = threadIdx.x;
    long long base = 256LL * blockIdx.x;
    for (int k = t; k < 256; k += 128) {
        left[k] = a[base + k];
        right[k] = b[base + k];
    }
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        int group = t / half, at = group * 2 * half + t % half;
        unsigned root = kRoots.at[128 / half + group], p = product(root, left[at + half]), q = product(root, right[at + half]);
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
        unsigned root = kPrime - kRoots.at[256 / half - 1 - group], p = left[at], q = left[at + half];
        left[at] = sum(p, q);
        left[at + half] = product(root, difference(p, q));
    }
    __syncthreads();
    for (int k = t; k < 256; k += 128) out[base + k] = product(left[k], kScale);
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    if (pairs > 0) multiply<<<pairs, 128>>>(a, b, out);
}
