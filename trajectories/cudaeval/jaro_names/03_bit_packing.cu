// Names: letters that are taken are bits of two words; the k-th matched letters are met by walking both words' lowest bits.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int score(long long m, long long apart, long long la, long long lb) {
    return m ? (int)(1000 * (2 * m * lb * m + 2 * m * la * m + (2 * m - apart) * la * lb) / (6 * m * la * lb)) : 0;
}

__global__ void compare(int pairs, const uint32_t* __restrict__ a, const uint32_t* __restrict__ b, const int* __restrict__ length_a, const int* __restrict__ length_b,
                        int* __restrict__ matches, int* __restrict__ moved, int* __restrict__ alike) {
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
    uint32_t free = (1u << lb) - 1, used = 0, taken = 0;
    for (int p = 0; p < la; ++p) {
        const int low = max(0, p - reach), high = min(24, p + reach + 1);
        uint32_t open = high > low ? free & ((1u << high) - 1) & ~((1u << low) - 1) : 0;
        while (open) {
            const int q = __ffs(open) - 1;
            if (right[q] == left[p]) {
                free &= ~(1u << q);
                taken |= 1u << q;
                used |= 1u << p;
                break;
            }
            open &= open - 1;
        }
    }
    const int m = __popc(used);
    int apart = 0;
    for (; used; used &= used - 1, taken &= taken - 1) apart += left[__ffs(used) - 1] != right[__ffs(taken) - 1];
    matches[i] = m;
    moved[i] = apart;
    alike[i] = score(m, apart, la, lb);
}

extern "C" void jaro_names(int pairs, const uint8_t* a, const uint8_t* b, const int32_t* length_a, const int32_t* length_b, int32_t* matches, int32_t* moved, int32_t* alike) {
    compare<<<(pairs + 127) / 128, 128>>>(pairs, reinterpret_cast<const uint32_t*>(a), reinterpret_cast<const uint32_t*>(b), length_a, length_b, matches, moved, alike);
}
