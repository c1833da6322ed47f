// Powers: one number a thread, products by doubling and adding.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__device__ u64 product(u64 a, u64 b, u64 m) {
    u64 sum = 0;
    for (; b; b >>= 1) {
        if (b & 1) sum = sum + a >= m ? sum + a - m : sum + a;
        a = 2 * a >= m ? 2 * a - m : 2 * a;
    }
    return sum;
}

__global__ void raise(int n, u64 m, const uint64_t* base, const uint32_t* exponent, uint64_t* power) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 square = base[i] % m, result = 1;
    for (uint32_t e = exponent[i]; e; e >>= 1) {
        if (e & 1) result = product(result, square, m);
        square = product(square, square, m);
    }
    power[i] = result;
}

extern "C" void modular_powers(int n, uint64_t modulus, const uint64_t* base, const uint32_t* exponent, uint64_t* power) {
    raise<<<(n + 255) / 256, 256>>>(n, modulus, base, exponent, power);
}
