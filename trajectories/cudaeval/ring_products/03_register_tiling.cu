// Products modulo x^256 + 1: a thread finds four neighbouring coefficients. Their factors move through a window of registers, so that two
// reads of shared memory serve four products.
#include <cuda_runtime.h>

constexpr unsigned kPrime = 8380417;

__global__ void multiply(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out) {
    __shared__ unsigned left[512], right[256];
    for (int k = threadIdx.x; k < 256; k += 64) {
        unsigned own = a[256LL * blockIdx.x + k];
        left[k] = kPrime - own;
        left[k + 256] = own;
        right[k] = b[256LL * blockIdx.x + k];
    }
    __syncthreads();
    int first = threadIdx.x * 4;
    unsigned window[4];
    unsigned long long sum[4] = {};
#pragma unroll
    for (int i = 0; i < 4; ++i) window[i] = left[256 + first + i];
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
        unsigned long long factor = right[j];
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[i] += window[i] * factor;
        window[3] = window[2];
        window[2] = window[1];
        window[1] = window[0];
        window[0] = left[255 + first - j];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) out[256LL * blockIdx.x + first + i] = (unsigned)(sum[i] % kPrime);
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    if (pairs > 0) multiply<<<pairs, 64>>>(a, b, out);
}
