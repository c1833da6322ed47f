// Powers: Montgomery's products, with constants of the modulus found once.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

// a b / 2^64 modulo m, where minus is -1 / m modulo 2^64 and m is below 2^63
__device__ u64 product(u64 a, u64 b, u64 m, u64 minus) {
    const u64 low = a * b, high = __umul64hi(a, b), q = low * minus;
    const u64 sum = high + __umul64hi(q, m) + (low != 0);
    return sum >= m ? sum - m : sum;
}

__global__ void raise(int n, u64 m, u64 minus, u64 one, u64 square_of_one, const uint64_t* base, const uint32_t* exponent, uint64_t* power) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 square = product(base[i] % m, square_of_one, m, minus), result = one;
    for (uint32_t e = exponent[i]; e; e >>= 1) {
        if (e & 1) result = product(result, square, m, minus);
        square = product(square, square, m, minus);
    }
    power[i] = product(result, 1, m, minus);
}

extern "C" void modular_powers(int n, uint64_t modulus, const uint64_t* base, const uint32_t* exponent, uint64_t* power) {
    uint64_t inverse = modulus;  // of modulus, modulo 2^64, by Newton's rounds
    for (int round = 0; round < 6; ++round) inverse *= 2 - modulus * inverse;
    uint64_t one = 0xffffffffffffffffull % modulus + 1, square = one;
    if (one == modulus) square = one = 0;
    for (int bit = 0; bit < 64; ++bit) square = square >= modulus - square ? square - (modulus - square) : square + square;
    raise<<<(n + 255) / 256, 256>>>(n, modulus, 0 - inverse, one, square, base, exponent, power);
}
