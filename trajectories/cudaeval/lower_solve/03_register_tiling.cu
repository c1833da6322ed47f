// Triangular solve: the product keeps four outputs of a column in registers, so that a value of the panel serves four rows.
#include <cuda_runtime.h>

constexpr int kPanel = 32;

// Rows from to from + kPanel of one column a thread.
__global__ void solve_panel(int from, int n, int columns, const float* l, float* b) {
    __shared__ float tile[kPanel][kPanel];
    const int rows = min(kPanel, n - from), j = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = threadIdx.x; i < rows * kPanel; i += blockDim.x) {
        const int row = i / kPanel, col = i % kPanel;
        tile[row][col] = col < row ? l[(size_t)(from + row) * n + from + col] / n : 0.0f;
    }
    __syncthreads();
    if (j >= columns) return;
    float x[kPanel];
#pragma unroll
    for (int i = 0; i < kPanel; ++i) {
        if (i < rows) {
            float sum = b[(size_t)(from + i) * columns + j];
#pragma unroll
            for (int k = 0; k < i; ++k) sum -= tile[i][k] * x[k];
            x[i] = sum;
            b[(size_t)(from + i) * columns + j] = sum;
        }
    }
}

// Takes the panel's part out of the rows below: 32 x 32 outputs a block.
__global__ void take_out(int from, int n, int columns, const float* l, float* b) {
    __shared__ float left[kPanel][kPanel + 1], right[kPanel][kPanel + 1];
    const int j = blockIdx.x * kPanel + threadIdx.x, first = from + kPanel + blockIdx.y * kPanel;
    for (int y = threadIdx.y; y < kPanel; y += 8) {
        left[y][threadIdx.x] = first + y < n ? l[(size_t)(first + y) * n + from + threadIdx.x] / n : 0.0f;
        right[y][threadIdx.x] = j < columns ? b[(size_t)(from + y) * columns + j] : 0.0f;
    }
    __syncthreads();
    if (j >= columns) return;
    float sum[4] = {};
#pragma unroll
    for (int k = 0; k < kPanel; ++k) {
        const float x = right[k][threadIdx.x];
#pragma unroll
        for (int s = 0; s < 4; ++s) sum[s] += left[threadIdx.y + 8 * s][k] * x;
    }
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        const int row = first + threadIdx.y + 8 * s;
        if (row < n) b[(size_t)row * columns + j] -= sum[s];
    }
}

extern "C" void lower_solve(int n, int columns, const float* l, float* b) {
    for (int from = 0; from < n; from += kPanel) {
        solve_panel<<<(columns + 63) / 64, 64>>>(from, n, columns, l, b);
        const int below = n - from - kPanel;
        if (below > 0)
            take_out<<<dim3((columns + kPanel - 1) / kPanel, (below + kPanel - 1) / kPanel), dim3(32, 8)>>>(from, n, columns, l, b);
    }
}
