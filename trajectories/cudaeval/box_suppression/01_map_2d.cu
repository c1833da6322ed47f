// Box suppression: a matrix of bits says who beats whom; one thread goes through the boxes in order.
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

__global__ void choose(int boxes, int words, const u64* beaten, u64* out, uint8_t* keep, int32_t* kept) {
    int count = 0;
    for (int w = 0; w < words; ++w) out[w] = 0;
    for (int i = 0; i < boxes; ++i) {
        keep[i] = !(out[i / 64] >> i % 64 & 1);
        if (!keep[i]) continue;
        ++count;
        for (int w = i / 64; w < words; ++w) out[w] |= beaten[(size_t)i * words + w];
    }
    *kept = count;
}

extern "C" void box_suppression(int boxes, int limit, const Box* box, const uint8_t* label, uint8_t* keep, int32_t* kept) {
    const int words = (boxes + 63) / 64;
    u64 *beaten = nullptr, *out = nullptr;
    cudaMallocAsync(&beaten, sizeof(u64) * boxes * words, 0);
    cudaMallocAsync(&out, sizeof(u64) * words, 0);
    compare<<<dim3((boxes + 127) / 128, words), 128>>>(boxes, words, limit, box, label, beaten);
    choose<<<1, 1>>>(boxes, words, beaten, out, keep, kept);
    cudaFreeAsync(beaten, 0);
    cudaFreeAsync(out, 0);
}
