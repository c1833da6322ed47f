// Non-maximum suppression: one block per list, each box is tested in parallel against the kept ones.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

// Left, top, right, bottom.
__device__ int4 edges_of(int2 at, int2 size) { return make_int4(at.x, at.y, at.x + size.x, at.y + size.y); }

__device__ int area(int4 box) { return (box.z - box.x) * (box.w - box.y); }

__device__ bool too_close(int4 a, int4 b) {
    int across = min(a.z, b.z) - max(a.x, b.x), down = min(a.w, b.w) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (area(a) + area(b) - common);
}

__global__ void suppress(int boxes, const int2* corner, const int2* extent, const uint8_t* label, uint8_t* keep,
                         int* kept) {
    extern __shared__ int4 chosen[];  // the kept boxes, then their labels
    uint8_t* kind = reinterpret_cast<uint8_t*>(chosen + boxes);
    const size_t list = (size_t)blockIdx.x * boxes;
    int count = 0;
    for (int i = 0; i < boxes; ++i) {
        const int4 box = edges_of(corner[list + i], extent[list + i]);
        const uint8_t own = label[list + i];
        bool struck = false;
        for (int j = threadIdx.x; j < count && !struck; j += kThreads)
            struck = kind[j] == own && too_close(chosen[j], box);
        const bool good = !__syncthreads_or(struck);
        if (threadIdx.x == 0) {
            keep[list + i] = good;
            if (good) {
                chosen[count] = box;
                kind[count] = own;
            }
        }
        __syncthreads();
        count += good;
    }
    if (threadIdx.x == 0) kept[blockIdx.x] = count;
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label,
                            uint8_t* keep, int* kept) {
    size_t bytes = (size_t)boxes * (sizeof(int4) + 1);
    if (bytes > 40 * 1024) cudaFuncSetAttribute(suppress, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    suppress<<<images, kThreads, bytes>>>(boxes, reinterpret_cast<const int2*>(corner),
                                          reinterpret_cast<const int2*>(extent), label, keep, kept);
}
