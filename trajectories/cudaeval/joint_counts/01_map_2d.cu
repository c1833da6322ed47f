// Joint counts: one pixel at one shift a thread, atomics in global memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void tally(int pixels, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, shift = (int)blockIdx.y - reach;
    if (i >= pixels) return;
    const int partner = i % width + shift;
    if (partner < 0 || partner >= width) return;
    atomicAdd(&count[256 * blockIdx.y + 16 * (first[i] >> 4) + (second[i + shift] >> 4)], 1);
}

extern "C" void joint_counts(int height, int width, int reach, const uint8_t* first, const uint8_t* second, int32_t* count) {
    const int shifts = 2 * reach + 1, pixels = height * width;
    cudaMemsetAsync(count, 0, sizeof(int32_t) * 256 * shifts);
    tally<<<dim3((pixels + 255) / 256, shifts), 256>>>(pixels, width, reach, first, second, count);
}
