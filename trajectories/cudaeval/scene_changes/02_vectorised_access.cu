// Changes between frames: sixteen pixels at a time where the frames are aligned for it, four to an instruction.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kPiece = 16384;  // pixels of a block

// Adds what four pixels of a word say; `limit` is the threshold in each byte.
__device__ void add_four(uint32_t after, uint32_t before, uint32_t limit, uint32_t& sum, uint32_t& count) {
    const uint32_t change = __vabsdiffu4(after, before);
    sum += __vsadu4(change, 0);
    count += __popc(__vcmpgtu4(change, limit)) / 8;
}

__global__ void compare(int pixels, int threshold, bool aligned, const uint8_t* __restrict__ video, uint32_t* difference,
                        uint32_t* moved) {
    __shared__ uint32_t sums[kThreads], counts[kThreads];
    const int f = blockIdx.y + 1, first = blockIdx.x * kPiece, end = min(pixels, first + kPiece);
    const uint8_t *after = video + (size_t)f * pixels, *before = after - pixels;
    uint32_t sum = 0, count = 0;
    if (aligned && threshold >= 0 && threshold < 256) {
        const uint32_t limit = 0x01010101u * threshold;
#pragma unroll 4
        for (int i = first + 16 * threadIdx.x; i < end; i += 16 * kThreads) {
            const uint4 a = *(const uint4*)(after + i), b = *(const uint4*)(before + i);
            add_four(a.x, b.x, limit, sum, count);
            add_four(a.y, b.y, limit, sum, count);
            add_four(a.z, b.z, limit, sum, count);
            add_four(a.w, b.w, limit, sum, count);
        }
    } else {
        for (int i = first + threadIdx.x; i < end; i += kThreads) {
            const int change = abs(after[i] - before[i]);
            sum += change;
            count += change > threshold;
        }
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
    const bool aligned = pixels % 16 == 0 && (uintptr_t)video % 16 == 0;
    if (frames > 1) compare<<<dim3((pixels - 1) / kPiece + 1, frames - 1), kThreads>>>(pixels, threshold, aligned, video, difference, moved);
}
