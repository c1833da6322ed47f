// Jacobi sweeps: the matrix is turned slot by slot first, with aligned rows of slots, read four at a time.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kRows = 4;  // of a thread of sweep

// turned[k][r] = in[r][k] for columns and values, by tiles in shared memory.
__global__ void turn(int n, int pitch, int width, float damping, const int* column, const float* value, const float* diagonal,
                     int* columns_out, float* values_out) {
    __shared__ int c_tile[kTile][kTile + 1];
    __shared__ float v_tile[kTile][kTile + 1];
    int r0 = blockIdx.x * kTile, k0 = blockIdx.y * kTile;
    for (int i = threadIdx.y; i < kTile; i += blockDim.y) {
        c_tile[i][threadIdx.x] = 0, v_tile[i][threadIdx.x] = 0.0f;
        if (r0 + i < n && k0 + threadIdx.x < width) {
            size_t e = (size_t)(r0 + i) * width + k0 + threadIdx.x;
            int c = column[e];
            c_tile[i][threadIdx.x] = c < 0 ? r0 + i : c;  // an empty slot reads the row's own value and takes it zero times
            v_tile[i][threadIdx.x] = c < 0 ? 0.0f : value[e] * (damping / diagonal[r0 + i]);
        }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < kTile; i += blockDim.y) {
        if (k0 + i < width) {  // up to the pitch, a multiple of the tile
            size_t e = (size_t)(k0 + i) * pitch + r0 + threadIdx.x;
            columns_out[e] = c_tile[threadIdx.x][i], values_out[e] = v_tile[threadIdx.x][i];
        }
    }
}

__global__ void scale(int n, float damping, const float* diagonal, const float* b, float* scaled) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) scaled[r] = damping * b[r] / diagonal[r];
}

// x = (1 - damping) old + scaled right-hand side - scaled matrix times old.
__global__ void sweep(int n, int pitch, int width, float kept, const int* column, const float* value, const float* scaled, const float* old,
                      float* x) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) * kRows;
    if (r >= n) return;
    float sum[kRows];
#pragma unroll
    for (int j = 0; j < kRows; ++j) sum[j] = r + j < n ? kept * old[r + j] + scaled[r + j] : 0.0f;
    for (int k = 0; k < width; ++k) {  // slots of rows past the end are (0, 0.0f)
        int4 c = *reinterpret_cast<const int4*>(column + (size_t)k * pitch + r);
        float4 v = *reinterpret_cast<const float4*>(value + (size_t)k * pitch + r);
        sum[0] -= v.x * old[c.x], sum[1] -= v.y * old[c.y], sum[2] -= v.z * old[c.z], sum[3] -= v.w * old[c.w];
    }
#pragma unroll
    for (int j = 0; j < kRows; ++j)
        if (r + j < n) x[r + j] = sum[j];
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    int pitch = (n + kTile - 1) / kTile * kTile;  // rows of slots start on 128 bytes
    float* other = nullptr;
    int* columns = nullptr;
    float *values = nullptr, *scaled = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    cudaMalloc(&columns, (size_t)pitch * width * sizeof(int));
    cudaMalloc(&values, (size_t)pitch * width * sizeof(float));
    cudaMalloc(&scaled, n * sizeof(float));
    dim3 tiles((n + kTile - 1) / kTile, (width + kTile - 1) / kTile);
    turn<<<tiles, dim3(kTile, 8)>>>(n, pitch, width, damping, column, value, diagonal, columns, values);
    scale<<<(n + 255) / 256, 256>>>(n, damping, diagonal, b, scaled);
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 256 * kRows - 1) / (256 * kRows), 256>>>(n, pitch, width, 1.0f - damping, columns, values, scaled, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
    cudaFree(columns);
    cudaFree(values);
    cudaFree(scaled);
}
