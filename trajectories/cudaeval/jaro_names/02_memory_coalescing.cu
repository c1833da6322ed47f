// Names: a block's letters come in words into shared memory, 28 bytes a name apart in the banks.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int score(long long m, long long apart, long long la, long long lb) {
    return m ? (int)(1000 * (2 * m * lb * m + 2 * m * la * m + (2 * m - apart) * la * lb) / (6 * m * la * lb)) : 0;
}

__global__ void compare(int pairs, const uint32_t* a, const uint32_t* b, const int* length_a, const int* length_b, int* matches, int* moved, int* alike) {
    __shared__ uint32_t tile[2][128 * 7];
    const int first = blockIdx.x * 128, i = first + threadIdx.x, words = 6 * min(128, pairs - first);
    for (int k = threadIdx.x; k < words; k += 128) {
        tile[0][k / 6 * 7 + k % 6] = a[6ll * first + k];
        tile[1][k / 6 * 7 + k % 6] = b[6ll * first + k];
    }
    __syncthreads();
    if (i >= pairs) return;
    const uint8_t *left = reinterpret_cast<const uint8_t*>(tile[0] + 7 * threadIdx.x), *right = reinterpret_cast<const uint8_t*>(tile[1] + 7 * threadIdx.x);
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
    compare<<<(pairs + 127) / 128, 128>>>(pairs, reinterpret_cast<const uint32_t*>(a), reinterpret_cast<const uint32_t*>(b), length_a, length_b, matches, moved, alike);
}
