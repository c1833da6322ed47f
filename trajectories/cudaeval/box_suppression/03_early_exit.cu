// Box suppression: 64 boxes are settled by one thread within their own word; rows of those kept are joined afterwards in one go.
#include <cuda_runtime.h>

#include <cstdint>

struct Box {
    int32_t x, y, w, h;
};
typedef unsigned long long u64;

__device__ bool beats(Box a, Box b, int limit) {
    const long long w = min(a.x + a.w, b.x + b.w) - max(a.x, b.x), h = min(a.y + a.h, b.y + b.h) - max(a.y, b.y);
    const long long both = w > 0 && h > 0 ? w * h : 0;
    return 100 * both > limit * ((long long)a.w * a.h + (long long)b.w * b.h - both);
}

// Bit j of word (i, w): box i would beat box 64 w + j.
__global__ void compare(int boxes, int words, int limit, const Box* box, const uint8_t* label, u64* beaten) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, w = blockIdx.y;
    if (i >= boxes) return;
    u64 bits = 0;
    for (int j = max(64 * w, i + 1); j < min(boxes, 64 * w + 64); ++j)
        if (label[i] == label[j] && beats(box[i], box[j], limit)) bits |= 1ull << (j - 64 * w);
    beaten[(size_t)i * words + w] = bits;
}

__global__ void choose(int boxes, int words, const u64* beaten, uint8_t* keep, int32_t* kept) {
    __shared__ u64 out[1024];
    int count = 0;
    for (int w = threadIdx.x; w < words; w += blockDim.x) out[w] = 0;
    __syncthreads();
    __shared__ u64 winners;
    for (int from = 0; from < words; ++from) {
        const int here = min(64, boxes - 64 * from);
        if (threadIdx.x == 0) {
            u64 gone = out[from], stay = 0;
            for (int k = 0; k < here; ++k) {
                if (gone >> k & 1) continue;
                stay |= 1ull << k;
                gone |= beaten[((size_t)64 * from + k) * words + from];
            }
            winners = stay;
        }
        __syncthreads();
        const u64 stay = winners;
        count += __popcll(stay);
        if ((int)threadIdx.x < here) keep[64 * from + threadIdx.x] = stay >> threadIdx.x & 1;
        for (int w = from + 1 + threadIdx.x; w < words; w += blockDim.x) {
            u64 all = out[w];
            for (u64 left = stay; left; left &= left - 1) all |= beaten[((size_t)64 * from + __ffsll((long long)left) - 1) * words + w];
            out[w] = all;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *kept = count;
}

extern "C" void box_suppression(int boxes, int limit, const Box* box, const uint8_t* label, uint8_t* keep, int32_t* kept) {
    const int words = (boxes + 63) / 64;
    u64* beaten = nullptr;
    cudaMallocAsync(&beaten, sizeof(u64) * boxes * words, 0);

    compare<<<dim3((boxes + 127) / 128, words), 128>>>(boxes, words, limit, box, label, beaten);
    choose<<<1, 256>>>(boxes, words, beaten, keep, kept);
    cudaFreeAsync(beaten, 0);

}
