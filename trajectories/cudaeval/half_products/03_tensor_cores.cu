// Half products: four warps multiply 16 x 16 x 16 fragments of a 32 x 32 tile, added up in single precision.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kTile = 32, kPitch = 40;  // halves of a row in shared memory

__global__ void multiply(int rows, int inner, int cols, const __half* __restrict__ a, const __half* __restrict__ w,
                         const float* __restrict__ bias, __half* __restrict__ c) {
    __shared__ __align__(32) __half left[kTile * kPitch], right[kTile * kPitch];
    __shared__ __align__(32) float sum[kTile * kTile];
    const int col = blockIdx.x * kTile, row = blockIdx.y * kTile, warp = threadIdx.x / 32, up = warp / 2 * 16, across = warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> total;
    wmma::fill_fragment(total, 0.0f);
    for (int from = 0; from < inner; from += kTile) {
        for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
            const int y = i / kTile, x = i % kTile;
            const __half zero = __float2half(0.0f);
            left[y * kPitch + x] = row + y < rows && from + x < inner ? a[(size_t)(row + y) * inner + from + x] : zero;
            right[y * kPitch + x] = from + y < inner && col + x < cols ? w[(size_t)(from + y) * cols + col + x] : zero;
        }
        __syncthreads();
        for (int k = 0; k < kTile; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> first;
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> second;
            wmma::load_matrix_sync(first, left + up * kPitch + k, kPitch);
            wmma::load_matrix_sync(second, right + k * kPitch + across, kPitch);
            wmma::mma_sync(total, first, second, total);
        }
        __syncthreads();
    }
    wmma::store_matrix_sync(sum + up * kTile + across, total, kTile, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kTile; i += 128) {
        const int r = row + i / kTile, j = col + i % kTile;
        if (r < rows && j < cols) c[(size_t)r * cols + j] = __float2half(sum[i] + bias[j]);
    }
}

extern "C" void half_products(int batch, int rows, int inner, int cols, const __half* a, const __half* w, const float* bias, __half* c) {
    const int all = batch * rows;
    multiply<<<dim3((cols + kTile - 1) / kTile, (all + kTile - 1) / kTile), 128>>>(all, inner, cols, a, w, bias, c);
}
