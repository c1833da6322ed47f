// Hysteresis: a block keeps its words and those around them in shared memory and goes on until they rest, so rounds are few.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;
constexpr int kWide = 4, kTall = 64;  // words of a block that spreads

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
    __shared__ unsigned int tile[kTall + 2][kWide + 2];
    const int left = blockIdx.x * kWide, top = blockIdx.y * kTall, column = threadIdx.x % kWide, row = threadIdx.x / kWide;
    volatile unsigned int* seen = joined;
    for (int k = threadIdx.x; k < (kTall + 2) * (kWide + 2); k += kWide * kTall) {
        const int y = top + k / (kWide + 2) - 1, i = left + k % (kWide + 2) - 1;
        tile[k / (kWide + 2)][k % (kWide + 2)] = y >= 0 && y < height && i >= 0 && i < words ? seen[(size_t)y * words + i] : 0;
    }
    const int y = top + row, i = left + column;
    const unsigned int weak_ones = y < height && i < words ? weak[(size_t)y * words + i] : 0;
    __syncthreads();
    const unsigned int old = tile[row + 1][column + 1];
    unsigned int edge = old;
    for (bool again = true; again;) {
        unsigned int near = 0;
        for (int r = row; r < row + 3; ++r) near |= widened(tile[r][column], tile[r][column + 1], tile[r][column + 2]);
        const unsigned int next = edge | run_on(near, weak_ones);
        again = __syncthreads_or(next != edge);
        tile[row + 1][column + 1] = edge = next;
        __syncthreads();
    }
    if (edge == old) return;
    atomicExch(&joined[(size_t)y * words + i], edge);
    atomicExch(changed, 1);
}

__global__ void write_edges(int height, int width, int words, const unsigned int* joined, unsigned char* edge) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < width && y < height) edge[(size_t)y * width + x] = joined[(size_t)y * words + x / 32] >> (x % 32) & 1 ? 255 : 0;
}

extern "C" void hysteresis_edges(int height, int width, int low, int high, const unsigned char* gradient, unsigned char* edge) {
    const int words = (width - 1) / 32 + 1;
    const dim3 threads(kAcross, kDown), blocks(words, (height - 1) / kDown + 1), fewer((words - 1) / kWide + 1, (height - 1) / kTall + 1);
    unsigned int *weak = nullptr, *joined = nullptr;
    int* changed = nullptr;
    cudaMalloc(&weak, (size_t)height * words * sizeof(int));
    cudaMalloc(&joined, (size_t)height * words * sizeof(int));
    cudaMalloc(&changed, sizeof(int));
    make_maps<<<blocks, threads>>>(height, width, words, low, high, gradient, weak, joined);
    for (int again = 1; again != 0;) {
        cudaMemsetAsync(changed, 0, sizeof(int));
        spread<<<fewer, kWide * kTall>>>(height, words, weak, joined, changed);
        cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    write_edges<<<blocks, threads>>>(height, width, words, joined, edge);
    cudaFree(weak);
    cudaFree(joined);
    cudaFree(changed);
}
