// Common subsequences: a row of the table is 128 bits, its steps; a letter is one addition with carry.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long u64;

__global__ void lengths(int pairs, int m, int n, const uint8_t* a, const uint8_t* b, int32_t* common) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    u64 place[4][2] = {};
    for (int j = 0; j < n; ++j) {
        const int letter = b[(size_t)p * n + j];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (letter == k) place[k][j / 64] |= 1ull << j % 64;
    }
    // A bit of the row is 0 where the length grows.
    u64 low = ~0ull, high = ~0ull;
    for (int i = 0; i < m; ++i) {
        const int letter = a[(size_t)p * m + i];
        u64 hit_low = 0, hit_high = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            hit_low = letter == k ? place[k][0] : hit_low;
            hit_high = letter == k ? place[k][1] : hit_high;
        }
        const u64 u_low = low & hit_low, u_high = high & hit_high, sum = low + u_low;
        high = (high + u_high + (sum < low)) | (high - u_high);
        low = sum | (low - u_low);
    }
    const u64 mask_low = n >= 64 ? ~0ull : (1ull << n) - 1, mask_high = n >= 128 ? ~0ull : n > 64 ? (1ull << (n - 64)) - 1 : 0;
    common[p] = __popcll(~low & mask_low) + __popcll(~high & mask_high);
}

extern "C" void lcs_pairs(int pairs, int m, int n, const uint8_t* a, const uint8_t* b, int32_t* common) {
    lengths<<<(pairs + 127) / 128, 128>>>(pairs, m, n, a, b, common);
}
