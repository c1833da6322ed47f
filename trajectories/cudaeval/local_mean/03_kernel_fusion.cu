// Local mean in a cube of 7: the sums along x and y in one launch, which keeps the first of them in shared memory.
#include <cuda_runtime.h>

// Places at most 3 from i that lie in 0 ... n - 1.
__device__ unsigned inside(int i, int n) { return min(i + 3, n - 1) - max(i - 3, 0) + 1; }

constexpr int kX = 32, kY = 8;

// Sums over squares of 7 x 7 of a slice: a tile with its rim, sums along x of its rows, then of those along y, all in shared memory.
__global__ void sum_xy(int height, int width, const unsigned short* __restrict__ volume, unsigned* __restrict__ squares) {
    __shared__ unsigned short tile[kY + 6][kX + 6];
    __shared__ unsigned rows[kY + 6][kX];
    int left = blockIdx.x * kX, top = blockIdx.y * kY, x = left + threadIdx.x, y = top + threadIdx.y;
    const unsigned short* slice = volume + (long long)blockIdx.z * height * width;
    for (int i = threadIdx.y * kX + threadIdx.x; i < (kY + 6) * (kX + 6); i += kX * kY) {
        int gx = left + i % (kX + 6) - 3, gy = top + i / (kX + 6) - 3;
        bool here = gx >= 0 && gx < width && gy >= 0 && gy < height;
        tile[i / (kX + 6)][i % (kX + 6)] = here ? slice[(long long)gy * width + gx] : 0;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < kY + 6; r += kY) {
        unsigned sum = 0;
#pragma unroll
        for (int k = 0; k < 7; ++k) sum += tile[r][threadIdx.x + k];
        rows[r][threadIdx.x] = sum;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < 7; ++k) sum += rows[threadIdx.y + k][threadIdx.x];
    squares[((long long)blockIdx.z * height + y) * width + x] = sum;
}

__global__ void sum_z(int depth, int height, int width, const unsigned* squares, unsigned short* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= width || y >= height) return;
    long long at = (long long)y * width + x, plane = (long long)height * width;
    unsigned sum = 0;
    for (int k = max(z - 3, 0); k <= min(z + 3, depth - 1); ++k) sum += squares[k * plane + at];
    out[z * plane + at] = (unsigned short)(sum / (inside(x, width) * inside(y, height) * inside(z, depth)));
}

extern "C" void local_mean(int depth, int height, int width, const unsigned short* volume, unsigned short* out) {
    if (depth <= 0 || height <= 0 || width <= 0) return;
    unsigned* squares = nullptr;
    cudaMalloc(&squares, (size_t)depth * height * width * sizeof(unsigned));
    dim3 block(kX, kY), grid((width + kX - 1) / kX, (height + kY - 1) / kY, depth);
    sum_xy<<<grid, block>>>(height, width, volume, squares);
    sum_z<<<grid, block>>>(depth, height, width, squares, out);
    cudaFree(squares);
}
