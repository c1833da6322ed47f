// Jacobi sweeps: the matrix is turned slot by slot first, scaled by damping over the diagonal, without empty slots.
#include <cuda_runtime.h>

constexpr int kTile = 32;

// turned[k][r] = in[r][k] for columns and values, by tiles in shared memory.
__global__ void turn(int n, int width, float damping, const int* column, const float* value, const float* diagonal,
                     int* columns_out, float* values_out) {
    __shared__ int c_tile[kTile][kTile + 1];
    __shared__ float v_tile[kTile][kTile + 1];
    int r0 = blockIdx.x * kTile, k0 = blockIdx.y * kTile;
    for (int i = threadIdx.y; i < kTile; i += blockDim.y) {
        if (r0 + i < n && k0 + threadIdx.x < width) {
            size_t e = (size_t)(r0 + i) * width + k0 + threadIdx.x;
            int c = column[e];
            c_tile[i][threadIdx.x] = c < 0 ? r0 + i : c;  // an empty slot reads the row's own value and takes it zero times
            v_tile[i][threadIdx.x] = c < 0 ? 0.0f : value[e] * (damping / diagonal[r0 + i]);
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

__global__ void scale(int n, float damping, const float* diagonal, const float* b, float* scaled) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) scaled[r] = damping * b[r] / diagonal[r];
}

// x = (1 - damping) old + scaled right-hand side - scaled matrix times old.
__global__ void sweep(int n, int width, float kept, const int* column, const float* value, const float* scaled, const float* old,
                      float* x) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    float sum = kept * old[r] + scaled[r];
    for (int k = 0; k < width; ++k) {
        sum -= value[(size_t)k * n + r] * old[column[(size_t)k * n + r]];
    }
    x[r] = sum;
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    float* other = nullptr;
    int* columns = nullptr;
    float *values = nullptr, *scaled = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    cudaMalloc(&columns, (size_t)n * width * sizeof(int));
    cudaMalloc(&values, (size_t)n * width * sizeof(float));
    cudaMalloc(&scaled, n * sizeof(float));
    dim3 tiles((n + kTile - 1) / kTile, (width + kTile - 1) / kTile);
    turn<<<tiles, dim3(kTile, 8)>>>(n, width, damping, column, value, diagonal, columns, values);
    scale<<<(n + 255) / 256, 256>>>(n, damping, diagonal, b, scaled);
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 255) / 256, 256>>>(n, width, 1.0f - damping, columns, values, scaled, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
    cudaFree(columns);
    cudaFree(values);
    cudaFree(scaled);
}
