// Non-maximum suppression: one block per list, whose boxes stay in shared memory as edges.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ int area(int4 box) { return (box.z - box.x) * (box.w - box.y); }

// Boxes as left, top, right, bottom.
__device__ bool too_close(int4 a, int4 b) {
    int across = min(a.z, b.z) - max(a.x, b.x), down = min(a.w, b.w) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (area(a) + area(b) - common);
}

__global__ void suppress(int boxes, const int2* corner, const int2* extent, const uint8_t* label, uint8_t* keep,
                         int* kept) {
    extern __shared__ int4 edges[];
    uint8_t* kind = reinterpret_cast<uint8_t*>(edges + boxes);
    uint8_t* struck = kind + boxes;
    const size_t list = (size_t)blockIdx.x * boxes;
    for (int j = threadIdx.x; j < boxes; j += kThreads) {
        const int2 at = corner[list + j], size = extent[list + j];
        edges[j] = make_int4(at.x, at.y, at.x + size.x, at.y + size.y);
        kind[j] = label[list + j];
        struck[j] = 0;
    }
    __syncthreads();
    int count = 0;
    for (int i = 0; i < boxes; ++i) {
        if (struck[i]) continue;  // the same for all threads: nobody strikes i any more
        ++count;
        const int4 box = edges[i];
        const uint8_t own = kind[i];
        for (int j = i + 1 + threadIdx.x; j < boxes; j += kThreads)
            if (kind[j] == own && too_close(box, edges[j])) struck[j] = 1;
        __syncthreads();
    }
    for (int j = threadIdx.x; j < boxes; j += kThreads) keep[list + j] = !struck[j];
    if (threadIdx.x == 0) kept[blockIdx.x] = count;
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label,
                            uint8_t* keep, int* kept) {
    size_t bytes = (size_t)boxes * (sizeof(int4) + 2);
    if (bytes > 40 * 1024) cudaFuncSetAttribute(suppress, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    suppress<<<images, kThreads, bytes>>>(boxes, reinterpret_cast<const int2*>(corner),
                                          reinterpret_cast<const int2*>(extent), label, keep, kept);
}
