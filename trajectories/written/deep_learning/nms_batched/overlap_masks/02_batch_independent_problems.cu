// Non-maximum suppression: one block per list; each kept box strikes out later boxes in parallel.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ bool too_close(int2 a, int2 a_size, int2 b, int2 b_size) {
    int across = min(a.x + a_size.x, b.x + b_size.x) - max(a.x, b.x);
    int down = min(a.y + a_size.y, b.y + b_size.y) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (a_size.x * a_size.y + b_size.x * b_size.y - common);
}

__global__ void suppress(int boxes, const int2* corner, const int2* extent, const uint8_t* label, uint8_t* keep,
                         int* kept) {
    extern __shared__ uint8_t struck[];
    const size_t list = (size_t)blockIdx.x * boxes;
    for (int j = threadIdx.x; j < boxes; j += kThreads) struck[j] = 0;
    __syncthreads();
    int count = 0;
    for (int i = 0; i < boxes; ++i) {
        if (struck[i]) continue;  // the same for all threads: nobody strikes i any more
        ++count;
        const int2 at = corner[list + i], size = extent[list + i];
        const uint8_t own = label[list + i];
        for (int j = i + 1 + threadIdx.x; j < boxes; j += kThreads)
            if (label[list + j] == own && too_close(at, size, corner[list + j], extent[list + j])) struck[j] = 1;
        __syncthreads();
    }
    for (int j = threadIdx.x; j < boxes; j += kThreads) keep[list + j] = !struck[j];
    if (threadIdx.x == 0) kept[blockIdx.x] = count;
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label,
                            uint8_t* keep, int* kept) {
    suppress<<<images, kThreads, boxes>>>(boxes, reinterpret_cast<const int2*>(corner),
                                          reinterpret_cast<const int2*>(extent), label, keep, kept);
}
