// Sums of sparse vectors: one pair a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void merge(int pairs, int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b, const int32_t* weight_b,
                      int32_t* key, int32_t* weight, int32_t* count) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    const long long in = (long long)p * n, out = 2 * in;
    int i = 0, j = 0, found = 0, last = 0, sum = 0;
    while (i < n || j < n) {
        const bool from_a = j == n || (i < n && key_a[in + i] <= key_b[in + j]);
        const int now = from_a ? key_a[in + i] : key_b[in + j], more = from_a ? weight_a[in + i] : weight_b[in + j];
        i += from_a;
        j += !from_a;
        if (found == 0 || now != last) {
            if (found > 0) weight[out + found - 1] = sum;
            key[out + found++] = last = now;
            sum = 0;
        }
        sum += more;
    }
    weight[out + found - 1] = sum;
    count[p] = found;
    for (int k = found; k < 2 * n; ++k) key[out + k] = weight[out + k] = 0;
}

extern "C" void merge_weights(int pairs, int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b,
                              const int32_t* weight_b, int32_t* key, int32_t* weight, int32_t* count) {
    merge<<<(pairs - 1) / 32 + 1, 32>>>(pairs, n, key_a, weight_a, key_b, weight_b, key, weight, count);
}
