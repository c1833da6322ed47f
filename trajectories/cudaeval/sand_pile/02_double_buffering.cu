// Sand: one launch a round from one table to another; falling grains are found anew from heights.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void topple(int rows, int cols, const int* __restrict__ from, int* __restrict__ to, unsigned long long* lost) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows || c >= cols) return;
    const int at = r * cols + c, own = from[at], out = (r == 0) + (r == rows - 1) + (c == 0) + (c == cols - 1);
    int sum = own & 3;
    if (r > 0) sum += from[at - cols] >> 2;
    if (r < rows - 1) sum += from[at + cols] >> 2;
    if (c > 0) sum += from[at - 1] >> 2;
    if (c < cols - 1) sum += from[at + 1] >> 2;
    to[at] = sum;
    if (out && own >> 2) atomicAdd(lost, (unsigned long long)out * (own >> 2));
}

extern "C" void sand_pile(int rows, int cols, int rounds, int32_t* heights, int64_t* lost) {
    const size_t bytes = sizeof(int) * (size_t)rows * cols;
    int* other = nullptr;
    cudaMallocAsync(&other, bytes, 0);
    cudaMemsetAsync(lost, 0, sizeof(int64_t));
    for (int k = 0; k < rounds; ++k)
        topple<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, k % 2 ? other : heights, k % 2 ? heights : other,
                                                                     reinterpret_cast<unsigned long long*>(lost));
    if (rounds % 2) cudaMemcpyAsync(heights, other, bytes, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
