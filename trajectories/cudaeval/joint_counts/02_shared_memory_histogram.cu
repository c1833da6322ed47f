// Joint counts: a block counts 8192 pixels of one shift in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void tally(int pixels, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count) {
    __shared__ int own[256];
    const int shift = (int)blockIdx.y - reach;
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 8192 + threadIdx.x; i < min(pixels, (int)(blockIdx.x + 1) * 8192); i += 256) {
        const int partner = i % width + shift;
        if (partner >= 0 && partner < width) atomicAdd(&own[16 * (first[i] >> 4) + (second[i + shift] >> 4)], 1);
    }
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&count[256 * blockIdx.y + threadIdx.x], own[threadIdx.x]);
}

extern "C" void joint_counts(int height, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count) {
    const int shifts = 2 * reach + 1, pixels = height * width;
    cudaMemsetAsync(count, 0, sizeof(int32_t) * 256 * shifts);
    tally<<<dim3((pixels + 8191) / 8192, shifts), 256>>>(pixels, width, reach, first, second, count);
}
