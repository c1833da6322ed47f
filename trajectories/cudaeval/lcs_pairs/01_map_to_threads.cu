// Common subsequences: one pair a thread, one row of the table in local memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void lengths(int pairs, int m, int n, const uint8_t* a, const uint8_t* b, int32_t* common) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    int row[129];
    for (int j = 0; j <= n; ++j) row[j] = 0;
    for (int i = 0; i < m; ++i) {
        int before = 0;  // the row above, one to the left
        const int letter = a[(size_t)p * m + i];
        for (int j = 1; j <= n; ++j) {
            const int above = row[j];
            row[j] = letter == b[(size_t)p * n + j - 1] ? before + 1 : max(above, row[j - 1]);
            before = above;
        }
    }
    common[p] = row[n];
}

extern "C" void lcs_pairs(int pairs, int m, int n, const uint8_t* a, const uint8_t* b, int32_t* common) {
    lengths<<<(pairs + 127) / 128, 128>>>(pairs, m, n, a, b, common);
}
