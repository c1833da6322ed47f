// Half products: tiles of 32 x 32 come through shared memory, four outputs a thread.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(int rows, int inner, int cols, const __half* a, const __half* w, const float* bias, __half* c) {
    __shared__ float left[32][33], right[32][33];
    const int j = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32;
    float sum[4] = {};
    for (int from = 0; from < inner; from += 32) {
        const int k = from + threadIdx.x;
        for (int y = threadIdx.y; y < 32; y += 8) {
            left[y][threadIdx.x] = first + y < rows && k < inner ? __half2float(a[(size_t)(first + y) * inner + k]) : 0.0f;
            right[y][threadIdx.x] = from + y < inner && j < cols ? __half2float(w[(size_t)(from + y) * cols + j]) : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < 32; ++i) {
            const float b = right[i][threadIdx.x];
            for (int s = 0; s < 4; ++s) sum[s] += left[threadIdx.y + 8 * s][i] * b;
        }
        __syncthreads();
    }
    if (j >= cols) return;
    for (int s = 0; s < 4; ++s) {
        const int r = first + threadIdx.y + 8 * s;
        if (r < rows) c[(size_t)r * cols + j] = __float2half(sum[s] + bias[j]);
    }
}

extern "C" void half_products(int batch, int rows, int inner, int cols, const __half* a, const __half* w, const float* bias, __half* c) {
    const int all = batch * rows;  // one product: the batches lie one below the other
    multiply<<<dim3((cols + 31) / 32, (all + 31) / 32), dim3(32, 8)>>>(all, inner, cols, a, w, bias, c);
}
