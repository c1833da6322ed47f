// Products modulo x^256 + 1: one block a pair, with both polynomials in shared memory. The first one stands there twice, negative and as it
// is, so that no sign depends on the place.
#include <cuda_runtime.h>

constexpr unsigned kPrime = 8380417;

__global__ void multiply(const unsigned* __restrict__ a, const unsigned* __restrict__ b, unsigned* __restrict__ out) {
    __shared__ unsigned left[512], right[256];
    int k = threadIdx.x;
    long long at = 256LL * blockIdx.x + k;
    unsigned own = a[at];
    left[k] = kPrime - own;
    left[k + 256] = own;
    right[k] = b[at];
    __syncthreads();
    unsigned long long sum = 0;
#pragma unroll 8
    for (int j = 0; j < 256; ++j) sum += (unsigned long long)left[256 + k - j] * right[j];
    out[at] = (unsigned)(sum % kPrime);
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    if (pairs > 0) multiply<<<pairs, 256>>>(a, b, out);
}
