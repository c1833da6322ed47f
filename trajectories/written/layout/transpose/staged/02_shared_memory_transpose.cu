// Transposition through a shared tile, so that loads and stores are both coalesced.
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void transpose_kernel(int rows, int cols, const float* in, float* out) {
    __shared__ float tile[kTile][kTile];
    int c = blockIdx.x * kTile + threadIdx.x;
    int r = blockIdx.y * kTile + threadIdx.y;
    if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)r * cols + c];
    __syncthreads();

    // The tile's transpose: lanes run along the rows of the input now.
    r = blockIdx.y * kTile + threadIdx.x;
    c = blockIdx.x * kTile + threadIdx.y;
    if (r < rows && c < cols) out[(size_t)c * rows + r] = tile[threadIdx.x][threadIdx.y];
}

extern "C" void transpose(int rows, int cols, const float* in, float* out) {
    dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_kernel<<<grid, dim3(kTile, kTile)>>>(rows, cols, in, out);
}
