// Agreement of slices: one pair a block, whose threads count together.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;  // a cell of the joint counts each

__device__ float term(int both, int a, int b, int n) {
    if (both == 0) return 0;
    const float share = (float)both / n;
    return share * logf(share / ((float)a / n * ((float)b / n)));
}

// A block a pair; its first thread adds terms up.
__global__ void compare(int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    fixed += (long long)blockIdx.x * n;
    moving += (long long)blockIdx.x * n;
    int32_t* cell = joint + 256ll * blockIdx.x;
    cell[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(cell + (fixed[i] >> 4 << 4 | moving[i] >> 4), 1);
    __syncthreads();
    if (threadIdx.x > 0) return;
    int by_fixed[16] = {0}, by_moving[16] = {0};
    for (int c = 0; c < 256; ++c) {
        by_fixed[c / 16] += cell[c];
        by_moving[c % 16] += cell[c];
    }
    float sum = 0;
    for (int c = 0; c < 256; ++c) sum += term(cell[c], by_fixed[c / 16], by_moving[c % 16], n);
    agreement[blockIdx.x] = sum;
}

extern "C" void slice_agreement(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    compare<<<pairs, kThreads>>>(n, fixed, moving, joint, agreement);
}
