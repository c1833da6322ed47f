// Transposition through a padded tile; loads and stores are marked as used once.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kRowsPerPass = 8;

__global__ void transpose_kernel(int rows, int cols, const float* in, float* out) {
    __shared__ float tile[kTile][kTile + 1];
    int c = blockIdx.x * kTile + threadIdx.x;
    int r = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
    for (int k = 0; k < kTile; k += kRowsPerPass)
        if (r + k < rows && c < cols) tile[threadIdx.y + k][threadIdx.x] = __ldcs(in + (size_t)(r + k) * cols + c);
    __syncthreads();

    // The tile's transpose: lanes run along the rows of the input now.
    r = blockIdx.y * kTile + threadIdx.x;
    c = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
    for (int k = 0; k < kTile; k += kRowsPerPass)
        if (r < rows && c + k < cols) __stcs(out + (size_t)(c + k) * rows + r, tile[threadIdx.x][threadIdx.y + k]);
}

extern "C" void transpose(int rows, int cols, const float* in, float* out) {
    dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_kernel<<<grid, dim3(kTile, kRowsPerPass)>>>(rows, cols, in, out);
}
