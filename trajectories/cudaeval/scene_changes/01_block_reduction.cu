// Changes between frames: a block has a piece of a frame, adds up in shared memory, and adds its sums to the frame's by atomics.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kPiece = 16384;  // pixels of a block

__global__ void compare(int pixels, int threshold, const uint8_t* __restrict__ video, uint32_t* difference, uint32_t* moved) {
    __shared__ uint32_t sums[kThreads], counts[kThreads];
    const int f = blockIdx.y + 1, first = blockIdx.x * kPiece, end = min(pixels, first + kPiece);
    const uint8_t *after = video + (size_t)f * pixels, *before = after - pixels;
    uint32_t sum = 0, count = 0;
    for (int i = first + threadIdx.x; i < end; i += kThreads) {
        const int change = abs(after[i] - before[i]);
        sum += change;
        count += change > threshold;
    }
    sums[threadIdx.x] = sum;
    counts[threadIdx.x] = count;
    __syncthreads();
    for (int apart = kThreads / 2; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) {
            sums[threadIdx.x] += sums[threadIdx.x + apart];
            counts[threadIdx.x] += counts[threadIdx.x + apart];
        }
        __syncthreads();
    }
    if (threadIdx.x != 0) return;
    atomicAdd(&difference[f], sums[0]);
    atomicAdd(&moved[f], counts[0]);
}

extern "C" void scene_changes(int frames, int pixels, int threshold, const uint8_t* video, uint32_t* difference, uint32_t* moved) {
    cudaMemsetAsync(difference, 0, sizeof(uint32_t) * frames);
    cudaMemsetAsync(moved, 0, sizeof(uint32_t) * frames);
    if (frames > 1) compare<<<dim3((pixels - 1) / kPiece + 1, frames - 1), kThreads>>>(pixels, threshold, video, difference, moved);
}
