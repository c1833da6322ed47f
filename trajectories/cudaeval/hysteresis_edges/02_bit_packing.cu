// Hysteresis: 32 pixels are one word of a bit map; a thread has a word and spreads edges over all of it at once.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;

// Word i of a row has the pixels 32 i .. 32 i + 31, the first in the lowest bit. A warp makes one word of each map.
__global__ void make_maps(int height, int width, int words, int low, int high, const unsigned char* gradient, unsigned int* weak,
                          unsigned int* joined) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (y >= height) return;
    const int value = x < width ? gradient[(size_t)y * width + x] : -1;
    const unsigned int over_low = __ballot_sync(~0u, value >= low), over_high = __ballot_sync(~0u, value >= high);
    if (threadIdx.x != 0) return;
    weak[(size_t)y * words + blockIdx.x] = over_low;
    joined[(size_t)y * words + blockIdx.x] = over_high;
}

// A word and what the last pixel of the one before and the first pixel of the one behind add beside it.
__device__ unsigned int widened(unsigned int before, unsigned int word, unsigned int behind) {
    return word | word << 1 | word >> 1 | before >> 31 | behind << 31;
}

// Within a word, edges run on through all weak neighbours.
__device__ unsigned int run_on(unsigned int edge, unsigned int weak) {
    edge &= weak;
    for (unsigned int more = (edge << 1 | edge >> 1) & weak & ~edge; more != 0; more = (edge << 1 | edge >> 1) & weak & ~edge) edge |= more;
    return edge;
}

__global__ void spread(int height, int words, const unsigned int* weak, unsigned int* joined, int* changed) {
    const int i = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (i >= words || y >= height) return;
    volatile unsigned int* seen = joined;
    const size_t at = (size_t)y * words + i;
    const unsigned int old = seen[at];
    unsigned int edge = old;
    for (int ny = max(y - 1, 0); ny <= min(y + 1, height - 1); ++ny) {
        const size_t other = (size_t)ny * words + i;
        edge |= widened(i > 0 ? seen[other - 1] : 0, seen[other], i + 1 < words ? seen[other + 1] : 0);
    }
    edge = old | run_on(edge, weak[at]);
    if (edge == old) return;
    atomicExch(&joined[at], edge);
    atomicExch(changed, 1);
}

__global__ void write_edges(int height, int width, int words, const unsigned int* joined, unsigned char* edge) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < width && y < height) edge[(size_t)y * width + x] = joined[(size_t)y * words + x / 32] >> (x % 32) & 1 ? 255 : 0;
}

extern "C" void hysteresis_edges(int height, int width, int low, int high, const unsigned char* gradient, unsigned char* edge) {
    const int words = (width - 1) / 32 + 1;
    const dim3 threads(kAcross, kDown), blocks(words, (height - 1) / kDown + 1), fewer((words - 1) / kAcross + 1, blocks.y);
    unsigned int *weak = nullptr, *joined = nullptr;
    int* changed = nullptr;
    cudaMalloc(&weak, (size_t)height * words * sizeof(int));
    cudaMalloc(&joined, (size_t)height * words * sizeof(int));
    cudaMalloc(&changed, sizeof(int));
    make_maps<<<blocks, threads>>>(height, width, words, low, high, gradient, weak, joined);
    for (int again = 1; again != 0;) {
        cudaMemsetAsync(changed, 0, sizeof(int));
        spread<<<fewer, threads>>>(height, words, weak, joined, changed);
        cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    write_edges<<<blocks, threads>>>(height, width, words, joined, edge);
    cudaFree(weak);
    cudaFree(joined);
    cudaFree(changed);
}
