// Transposition, one thread per element: coalesced loads, strided stores.
#include <cuda_runtime.h>

constexpr int kTile = 32;

__global__ void transpose_kernel(int rows, int cols, const float* in, float* out) {
    int c = blockIdx.x * kTile + threadIdx.x;
    int r = blockIdx.y * kTile + threadIdx.y;
    if (r < rows && c < cols) out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}

extern "C" void transpose(int rows, int cols, const float* in, float* out) {
    dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_kernel<<<grid, dim3(kTile, kTile)>>>(rows, cols, in, out);
}
