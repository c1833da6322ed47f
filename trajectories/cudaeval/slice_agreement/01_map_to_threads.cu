// Agreement of slices: one pair a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float term(int both, int a, int b, int n) {
    if (both == 0) return 0;
    const float share = (float)both / n;
    return share * logf(share / ((float)a / n * ((float)b / n)));
}

__global__ void compare(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs) return;
    int32_t* cell = joint + 256ll * p;
    int by_fixed[16] = {0}, by_moving[16] = {0};
    for (int c = 0; c < 256; ++c) cell[c] = 0;
    for (long long i = (long long)p * n; i < (long long)(p + 1) * n; ++i) {
        const int a = fixed[i] >> 4, b = moving[i] >> 4;
        ++cell[16 * a + b];
        ++by_fixed[a];
        ++by_moving[b];
    }
    float sum = 0;
    for (int c = 0; c < 256; ++c) sum += term(cell[c], by_fixed[c / 16], by_moving[c % 16], n);
    agreement[p] = sum;
}

extern "C" void slice_agreement(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    compare<<<(pairs - 1) / 32 + 1, 32>>>(pairs, n, fixed, moving, joint, agreement);
}
