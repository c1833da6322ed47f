// Joint counts: a block has a stretch of one row in shared memory and goes through all shifts, so that pixels are read once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStretch = 4096, kReach = 16;

__global__ void tally(int width, int reach, const uint8_t* __restrict__ first, const uint8_t* __restrict__ second, int32_t* count) {
    __shared__ int own[256];
    __shared__ uint8_t left[kStretch], right[kStretch + 2 * kReach];  // a pixel is its top four bits; 16 is none
    const size_t row = (size_t)blockIdx.y * width;
    const int from = blockIdx.x * kStretch, here = min(kStretch, width - from);
    for (int i = threadIdx.x; i < here; i += 256) left[i] = first[row + from + i] >> 4;
    for (int i = threadIdx.x; i < here + 2 * reach; i += 256) {
        const int x = from + i - reach;
        right[i] = x >= 0 && x < width ? second[row + x] >> 4 : 16;
    }
    for (int shift = 0; shift <= 2 * reach; ++shift) {
        own[threadIdx.x] = 0;
        __syncthreads();
        for (int i = threadIdx.x; i < here; i += 256)
            if (right[i + shift] < 16) atomicAdd(&own[16 * left[i] + right[i + shift]], 1);
        __syncthreads();
        if (own[threadIdx.x]) atomicAdd(&count[256 * shift + threadIdx.x], own[threadIdx.x]);
        __syncthreads();
    }
}

extern "C" void joint_counts(int height, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count) {
    cudaMemsetAsync(count, 0, sizeof(int32_t) * 256 * (2 * reach + 1));
    tally<<<dim3((width + kStretch - 1) / kStretch, height), 256>>>(width, reach, first, second, count);
}
