// Slopes: choices are written down, then each cell gathers from those neighbours that chose it; no atomics on heights and no copy.
#include <cuda_runtime.h>

#include <cstdint>

// where the cell (r, c) slides to, and how much
__device__ int slide(int rows, int cols, int talus, const int* heights, int r, int c, int* amount) {
    const int at = r * cols + c;
    int lowest = -1, low = 0x7fffffff;
    if (r > 0 && heights[at - cols] < low) lowest = at - cols, low = heights[lowest];
    if (c > 0 && heights[at - 1] < low) lowest = at - 1, low = heights[lowest];
    if (c + 1 < cols && heights[at + 1] < low) lowest = at + 1, low = heights[lowest];
    if (r + 1 < rows && heights[at + cols] < low) lowest = at + cols, low = heights[lowest];
    const int above = heights[at] - low - talus;
    *amount = above > 0 ? above / 2 : 0;
    return lowest;
}

// the sum over a block of 32 x 8 threads, added to total by one of them
__device__ void add_up(unsigned long long own, unsigned long long* total) {
    __shared__ unsigned long long part[8];
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x == 0) part[threadIdx.y] = own;
    __syncthreads();
    if (threadIdx.x || threadIdx.y) return;
    for (int w = 1; w < 8; ++w) own += part[w];
    if (own) atomicAdd(total, own);
}

__global__ void choose(int rows, int cols, int talus, const int* heights, int2* slides, unsigned long long* moved) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    int amount = 0;
    if (r < rows && c < cols) {
        const int to = slide(rows, cols, talus, heights, r, c, &amount);
        slides[r * cols + c] = make_int2(to, amount);
    }
    add_up(amount, moved);
}

__global__ void gather(int rows, int cols, const int2* __restrict__ slides, int* __restrict__ heights) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows || c >= cols) return;
    const int at = r * cols + c;
    int change = -slides[at].y;
    if (r > 0 && slides[at - cols].x == at) change += slides[at - cols].y;
    if (c > 0 && slides[at - 1].x == at) change += slides[at - 1].y;
    if (c + 1 < cols && slides[at + 1].x == at) change += slides[at + 1].y;
    if (r + 1 < rows && slides[at + cols].x == at) change += slides[at + cols].y;
    if (change) heights[at] += change;
}

extern "C" void talus_slide(int rows, int cols, int rounds, int32_t talus, int32_t* heights, int64_t* moved) {
    int2* slides = nullptr;
    cudaMallocAsync(&slides, sizeof(int2) * (size_t)rows * cols, 0);
    cudaMemsetAsync(moved, 0, sizeof(int64_t) * rounds);
    const dim3 threads(32, 8), blocks((cols + 31) / 32, (rows + 7) / 8);
    for (int k = 0; k < rounds; ++k) {
        choose<<<blocks, threads>>>(rows, cols, talus, heights, slides, reinterpret_cast<unsigned long long*>(moved + k));
        gather<<<blocks, threads>>>(rows, cols, slides, heights);
    }
    cudaFreeAsync(slides, 0);
}
