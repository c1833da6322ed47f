// CSR matrix-vector product, a group of LANES threads per row; LANES follows the mean row length.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

template <int LANES>
__global__ void spmv(int rows, const int* __restrict__ row_ptr, const int* __restrict__ col_idx,
                     const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
    int lane = threadIdx.x % LANES;
    int row = (blockIdx.x * kThreads + threadIdx.x) / LANES;

    // A group past the last row gets an empty range: its lanes must stay for the full-mask shuffles below.
    int begin = row < rows ? __ldg(row_ptr + row) : 0;
    int end = row < rows ? __ldg(row_ptr + row + 1) : 0;
    float sum = 0.0f;
    for (int k = begin + lane; k < end; k += LANES) sum += __ldg(values + k) * __ldg(x + __ldg(col_idx + k));

    for (int offset = LANES / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, LANES);
    if (lane == 0 && row < rows) y[row] = sum;
}

template <int LANES>
void launch(int rows, const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y) {
    const int rows_per_block = kThreads / LANES;
    spmv<LANES><<<(rows + rows_per_block - 1) / rows_per_block, kThreads>>>(rows, row_ptr, col_idx, values, x, y);
}

extern "C" void csr_spmv(int rows, int cols, int nnz, const int* row_ptr, const int* col_idx, const float* values,
                         const float* x, float* y) {
    (void)cols;
    int mean = nnz / rows;
    if (mean <= 4) {
        launch<2>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 8) {
        launch<4>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 16) {
        launch<8>(rows, row_ptr, col_idx, values, x, y);
    } else if (mean <= 64) {
        launch<16>(rows, row_ptr, col_idx, values, x, y);
    } else {
        launch<32>(rows, row_ptr, col_idx, values, x, y);
    }
}
