// Slopes: a block adds up what slid before one atomic.
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

__global__ void settle(int rows, int cols, int talus, const int* before, int* heights, unsigned long long* moved) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    int amount = 0;
    if (r < rows && c < cols) {
        const int to = slide(rows, cols, talus, before, r, c, &amount);
        if (amount) {
            atomicAdd(&heights[r * cols + c], -amount);
            atomicAdd(&heights[to], amount);
        }
    }
    add_up(amount, moved);
}

extern "C" void talus_slide(int rows, int cols, int rounds, int32_t talus, int32_t* heights, int64_t* moved) {
    const size_t bytes = sizeof(int) * (size_t)rows * cols;
    int* before = nullptr;
    cudaMallocAsync(&before, bytes, 0);
    cudaMemsetAsync(moved, 0, sizeof(int64_t) * rounds);
    for (int k = 0; k < rounds; ++k) {
        cudaMemcpyAsync(before, heights, bytes, cudaMemcpyDeviceToDevice);
        settle<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, talus, before, heights, reinterpret_cast<unsigned long long*>(moved + k));
    }
    cudaFreeAsync(before, 0);
}
