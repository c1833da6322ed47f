// Non-maximum suppression: tiles of 32 boxes against the kept list by sixteen warps, then among themselves in one.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 512;
constexpr int kGroups = kThreads / 32;
constexpr unsigned int kAll = 0xFFFFFFFFu;

// Left, top, right, bottom.
__device__ int4 edges_of(int2 at, int2 size) { return make_int4(at.x, at.y, at.x + size.x, at.y + size.y); }

__device__ int area(int4 box) { return (box.z - box.x) * (box.w - box.y); }

__device__ bool too_close(int4 a, int4 b) {
    int across = min(a.z, b.z) - max(a.x, b.x), down = min(a.w, b.w) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (area(a) + area(b) - common);
}

// Which boxes of the tile survive, given those that are struck already; called by one warp.
__device__ unsigned int resolved(const int4* tile, const uint8_t* kinds, unsigned int struck, int inside) {
    const int lane = threadIdx.x;
    unsigned int close = 0;  // earlier boxes of the tile that would strike this lane's
    if (lane < inside)
        for (int e = 0; e < lane; ++e)
            if (kinds[e] == kinds[lane] && too_close(tile[e], tile[lane])) close |= 1u << e;
    unsigned int alive = 0;
    for (int e = 0; e < inside; ++e) {
        const unsigned int strikers = __shfl_sync(kAll, close, e);
        if (!(struck >> e & 1u) && (strikers & alive) == 0) alive |= 1u << e;
    }
    return alive;
}

__global__ void suppress(int boxes, const int2* corner, const int2* extent, const uint8_t* label, uint8_t* keep,
                         int* kept) {
    extern __shared__ int4 chosen[];  // the kept boxes, then their labels
    uint8_t* kind = reinterpret_cast<uint8_t*>(chosen + boxes);
    __shared__ int4 tile[32];
    __shared__ uint8_t kinds[32];
    __shared__ unsigned int struck, survivors;
    const size_t list = (size_t)blockIdx.x * boxes;
    const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
    int count = 0;
    for (int first = 0; first < boxes; first += 32) {
        const int inside = min(32, boxes - first);
        if ((int)threadIdx.x < inside) {
            tile[lane] = edges_of(corner[list + first + lane], extent[list + first + lane]);
            kinds[lane] = label[list + first + lane];
        }
        if (threadIdx.x == 0) struck = 0;
        __syncthreads();
        if (lane < inside) {
            bool hit = false;
            for (int j = group; j < count && !hit; j += kGroups)
                hit = kind[j] == kinds[lane] && too_close(chosen[j], tile[lane]);
            if (hit) atomicOr(&struck, 1u << lane);
        }
        __syncthreads();
        if (group == 0) {
            const unsigned int alive = resolved(tile, kinds, struck, inside);
            if (lane < inside) keep[list + first + lane] = alive >> lane & 1u;
            if (alive >> lane & 1u) {
                const int place = count + __popc(alive & ((1u << lane) - 1));
                chosen[place] = tile[lane];
                kind[place] = kinds[lane];
            }
            if (lane == 0) survivors = alive;
        }
        __syncthreads();
        count += __popc(survivors);
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
