// Jacobi sweeps: the matrix is turned slot by slot first, and empty slots become harmless ones.
#include <cuda_runtime.h>

constexpr int kTile = 32;

// turned[k][r] = in[r][k] for columns and values, by tiles in shared memory.
__global__ void turn(int n, int width, const int* column, const float* value, int* columns_out, float* values_out) {
    __shared__ int c_tile[kTile][kTile + 1];
    __shared__ float v_tile[kTile][kTile + 1];
    int r0 = blockIdx.x * kTile, k0 = blockIdx.y * kTile;
    for (int i = threadIdx.y; i < kTile; i += blockDim.y) {
        if (r0 + i < n && k0 + threadIdx.x < width) {
            size_t e = (size_t)(r0 + i) * width + k0 + threadIdx.x;
            int c = column[e];
            c_tile[i][threadIdx.x] = c < 0 ? r0 + i : c;  // an empty slot reads the row's own value and takes it zero times
            v_tile[i][threadIdx.x] = c < 0 ? 0.0f : value[e];
        }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < kTile; i += blockDim.y) {
        if (k0 + i < width && r0 + threadIdx.x < n) {
            size_t e = (size_t)(k0 + i) * n + r0 + threadIdx.x;
            columns_out[e] = c_tile[threadIdx.x][i], values_out[e] = v_tile[threadIdx.x][i];
        }
    }
}

__global__ void sweep(int n, int width, float damping, const int* column, const float* value, const float* diagonal, const float* b,
                      const float* old, float* x) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float rest = b[r] - diagonal[r] * old[r];
    for (int k = 0; k < width; ++k) {
        rest -= value[(size_t)k * n + r] * old[column[(size_t)k * n + r]];
    }
    x[r] = old[r] + damping * rest / diagonal[r];
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    float* other = nullptr;
    int* columns = nullptr;
    float* values = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    cudaMalloc(&columns, (size_t)n * width * sizeof(int));
    cudaMalloc(&values, (size_t)n * width * sizeof(float));
    dim3 tiles((n + kTile - 1) / kTile, (width + kTile - 1) / kTile);
    turn<<<tiles, dim3(kTile, 8)>>>(n, width, column, value, columns, values);
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 255) / 256, 256>>>(n, width, damping, columns, values, diagonal, b, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
    cudaFree(columns);
    cudaFree(values);
}
