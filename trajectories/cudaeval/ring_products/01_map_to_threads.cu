// Products modulo x^256 + 1: one thread a coefficient.
#include <cuda_runtime.h>

__global__ void multiply(long long count, const unsigned* a, const unsigned* b, unsigned* out) {
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    int k = (int)(at % 256);
    const unsigned *left = a + (at - k), *right = b + (at - k);
    long long sum = 0;
    for (int j = 0; j < 256; ++j) {
        long long product = (long long)left[(k - j) & 255] * right[j];
        sum += j <= k ? product : -product;
    }
    sum %= 8380417;
    out[at] = (unsigned)(sum < 0 ? sum + 8380417 : sum);
}

extern "C" void ring_products(int pairs, const unsigned* a, const unsigned* b, unsigned* out) {
    long long count = 256LL * pairs;
    if (count > 0) multiply<<<(unsigned)(count / 256), 256>>>(count, a, b, out);
}
