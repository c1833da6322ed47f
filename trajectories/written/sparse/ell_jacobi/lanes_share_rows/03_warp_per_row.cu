// Jacobi sweeps: eight lanes for each row; two vectors take turns.
#include <cuda_runtime.h>

constexpr int kLanes = 8;  // of a row

__global__ void sweep(int n, int width, float damping, const int* column, const float* value, const float* diagonal, const float* b,
                      const float* old, float* x) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes, lane = threadIdx.x % kLanes;
    float sum = 0.0f;
    if (r < n) {
        for (int k = lane; k < width; k += kLanes) {
            int c = column[(size_t)r * width + k];
            if (c >= 0) sum += value[(size_t)r * width + k] * old[c];
        }
    }
    for (int distance = kLanes / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance, kLanes);
    if (r < n && lane == 0) x[r] = old[r] + damping * (b[r] - diagonal[r] * old[r] - sum) / diagonal[r];
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    float* other = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 256 / kLanes - 1) / (256 / kLanes), 256>>>(n, width, damping, column, value, diagonal, b, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
}
