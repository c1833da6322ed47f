// Products modulo x^256 + 1 by transforms: one warp a pair. A lane has eight coefficients of each polynomial in registers; three layers lie
// inside a lane and five pass through shuffles, so that no barrier is left and only the roots are in shared memory.
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

constexpr int kWarps = 4;

// Coefficient 32 i + lane is x[i]. Halves of 128, 64 and 32 pair registers; from 16 on they pair lanes.
__device__ void transform(unsigned* x, int lane, const uint2* roots) {
#pragma unroll
    for (int half = 4; half > 0; half /= 2) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (i & half) continue;
            unsigned p = times_root(x[i + half], roots[4 / half + i / (2 * half)]);
            x[i + half] = difference(x[i], p);
            x[i] = sum(x[i], p);
        }
    }
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            uint2 root = roots[128 / half + (32 * i + lane) / (2 * half)];
            unsigned mine = lane & half ? times_root(x[i], root) : x[i], other = __shfl_xor_sync(0xffffffffu, mine, half);
            x[i] = lane & half ? difference(other, mine) : sum(mine, other);
        }
    }
}

__device__ void transform_back(unsigned* x, int lane, const uint2* roots) {
#pragma unroll
    for (int half = 1; half <= 16; half *= 2) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            uint2 root = roots[256 / half - 1 - (32 * i + lane) / (2 * half)];
            unsigned other = __shfl_xor_sync(0xffffffffu, x[i], half);
            x[i] = lane & half ? times_root(difference(x[i], other), root) : sum(x[i], other);
        }
    }
#pragma unroll
    for (int half = 1; half <= 4; half *= 2) {
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (i & half) continue;
            unsigned p = x[i], q = x[i + half];
            x[i] = sum(p, q);
            x[i + half] = times_root(difference(q, p), roots[8 / half - 1 - i / (2 * half)]);
        }
    }
}

__global__ void __launch_bounds__(32 * kWarps)
    multiply(int pairs, const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out) {
    __shared__ uint2 roots[256];
    int lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < 256; k += 32 * kWarps) roots[k] = make_uint2(kRoots.at[k], kRoots.quotient[k]);
    __syncthreads();
    for (int pair = blockIdx.x * kWarps + threadIdx.x / 32; pair < pairs; pair += gridDim.x * kWarps) {
        unsigned left[8], right[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            left[i] = a[256LL * pair + 32 * i + lane];
            right[i] = b[256LL * pair + 32 * i + lane];
        }
        transform(left, lane, roots);
        transform(right, lane, roots);
#pragma unroll
        for (int i = 0; i < 8; ++i) left[i] = product(left[i], right[i]);
        transform_back(left, lane, roots);
#pragma unroll
        for (int i = 0; i < 8; ++i) out[256LL * pair + 32 * i + lane] = times_root(left[i], make_uint2(kScale, kScaleQuotient));
    }
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    const int blocks = (pairs + kWarps - 1) / kWarps;
    if (pairs > 0) multiply<<<blocks < 2112 ? blocks : 2112, 32 * kWarps>>>(pairs, a, b, out);
}
