// Non-maximum suppression: masks of pairs in order, decisions for 32 boxes at a time from their diagonal words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMaxWords = 128;  // boxes <= 4096
constexpr unsigned int kAll = 0xFFFFFFFFu;

__device__ int4 edges_of(int2 at, int2 size) { return make_int4(at.x, at.y, at.x + size.x, at.y + size.y); }

__device__ int area(int4 box) { return (box.z - box.x) * (box.w - box.y); }

// Boxes as left, top, right, bottom.
__device__ bool too_close(int4 a, int4 b) {
    int across = min(a.z, b.z) - max(a.x, b.x), down = min(a.w, b.w) - max(a.y, b.y);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (area(a) + area(b) - common);
}

// masks[list][word][box]: which of the 32 boxes of the word come after the box and are too close to it.
__global__ void find_overlaps(int boxes, int words, const int2* corner, const int2* extent, const uint8_t* label,
                              uint32_t* masks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, word = blockIdx.y;
    if (i >= boxes || word < i / 32) return;  // words before the box's own are never read
    const size_t list = (size_t)blockIdx.z * boxes;
    uint32_t mask = 0;
    const int4 box = edges_of(corner[list + i], extent[list + i]);
    for (int bit = 0; bit < 32; ++bit) {
        const int j = 32 * word + bit;
        if (j <= i || j >= boxes || label[list + j] != label[list + i]) continue;
        if (too_close(box, edges_of(corner[list + j], extent[list + j]))) mask |= 1u << bit;
    }
    masks[((size_t)blockIdx.z * words + word) * boxes + i] = mask;
}

__global__ void decide(int boxes, int words, const uint32_t* masks, uint8_t* keep, int* kept) {
    const int lane = threadIdx.x;
    const uint32_t* mine = masks + (size_t)blockIdx.x * words * boxes;
    uint32_t struck[kMaxWords / 32] = {};  // words lane, lane + 32, ...
    int count = 0;
    for (int word = 0; word < words; ++word) {
        const int base = 32 * word, inside = min(32, boxes - base);
        // Lane b: which boxes of this word box b would strike.
        const uint32_t diagonal = lane < inside ? mine[(size_t)word * boxes + base + lane] : 0;
        uint32_t holder = 0;
        for (int s = 0; s < kMaxWords / 32; ++s)
            if (word / 32 == s) holder = struck[s];
        uint32_t gone = __shfl_sync(kAll, holder, word % 32);
        for (int b = 0; b < inside; ++b) {
            uint32_t strikes = __shfl_sync(kAll, diagonal, b);
            if (!(gone >> b & 1u)) gone |= strikes;
        }
        const uint32_t alive = ~gone & (inside == 32 ? kAll : (1u << inside) - 1);
        count += __popc(alive);
        for (int s = 0; s < kMaxWords / 32; ++s) {
            const int column = 32 * s + lane;
            if (column >= words || column < word) continue;
            const uint32_t* rows = mine + (size_t)column * boxes + base;
            uint32_t gathered = 0;
#pragma unroll 8
            for (int b = 0; b < inside; ++b)
                if (alive >> b & 1u) gathered |= rows[b];
            struck[s] |= gathered;
        }
    }
    for (int s = 0; s < kMaxWords / 32; ++s)
        for (int bit = 0; bit < 32; ++bit) {
            int j = 32 * (32 * s + lane) + bit;
            if (j < boxes) keep[(size_t)blockIdx.x * boxes + j] = !(struck[s] >> bit & 1u);
        }
    if (lane == 0) kept[blockIdx.x] = count;
}

extern "C" void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label,
                            uint8_t* keep, int* kept) {
    const int words = (boxes + 31) / 32, threads = 128;
    uint32_t* masks = nullptr;
    cudaMalloc(&masks, (size_t)images * words * boxes * sizeof(uint32_t));
    dim3 grid((boxes - 1) / threads + 1, words, images);
    find_overlaps<<<grid, threads>>>(boxes, words, reinterpret_cast<const int2*>(corner),
                                     reinterpret_cast<const int2*>(extent), label, masks);
    decide<<<images, 32>>>(boxes, words, masks, keep, kept);
    cudaFree(masks);
}
