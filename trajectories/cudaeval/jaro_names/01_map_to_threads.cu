// Names: one pair a thread, with lists of matched letters of its own.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int score(long long m, long long apart, long long la, long long lb) {
    return m ? (int)(1000 * (2 * m * lb * m + 2 * m * la * m + (2 * m - apart) * la * lb) / (6 * m * la * lb)) : 0;
}

__global__ void compare(int pairs, const uint8_t* a, const uint8_t* b, const int* length_a, const int* length_b, int* matches, int* moved, int* alike) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const uint8_t *left = a + 24ll * i, *right = b + 24ll * i;
    const int la = length_a[i], lb = length_b[i], reach = max(0, max(la, lb) / 2 - 1);
    bool taken[24] = {};
    uint8_t matched[24];
    int m = 0, apart = 0;
    for (int p = 0; p < la; ++p)
        for (int q = max(0, p - reach); q < min(lb, p + reach + 1); ++q)
            if (!taken[q] && right[q] == left[p]) {
                taken[q] = true;
                matched[m++] = left[p];
                break;
            }
    for (int q = 0, k = 0; q < lb; ++q)
        if (taken[q]) apart += matched[k++] != right[q];
    matches[i] = m;
    moved[i] = apart;
    alike[i] = score(m, apart, la, lb);
}

extern "C" void jaro_names(int pairs, const uint8_t* a, const uint8_t* b, const int32_t* length_a, const int32_t* length_b, int32_t* matches, int32_t* moved, int32_t* alike) {
    compare<<<(pairs + 127) / 128, 128>>>(pairs, a, b, length_a, length_b, matches, moved, alike);
}
