// Matrix-vector product, one block per row, 16-byte loads where every row is aligned for them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / 32;

__global__ void row_dot(int cols, int quads, const float* A, const float* x, float* y) {
    __shared__ float warp_total[kWarps];
    const float* a = A + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    const float4* a4 = reinterpret_cast<const float4*>(a);
    const float4* x4 = reinterpret_cast<const float4*>(x);
    for (int quad = threadIdx.x; quad < quads; quad += kThreads) {
        float4 av = a4[quad];
        float4 xv = x4[quad];
        sum += (av.x * xv.x + av.y * xv.y) + (av.z * xv.z + av.w * xv.w);
    }
    for (int col = 4 * quads + threadIdx.x; col < cols; col += kThreads) sum += a[col] * x[col];

    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) warp_total[threadIdx.x / 32] = sum;
    __syncthreads();

    if (threadIdx.x == 0) {
        float total = warp_total[0];
        for (int warp = 1; warp < kWarps; ++warp) total += warp_total[warp];
        y[blockIdx.x] = total;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    // float4 needs 16-byte alignment of every row: the bases and the row length both have to fit.
    bool aligned = cols % 4 == 0 && reinterpret_cast<uintptr_t>(A) % 16 == 0 && reinterpret_cast<uintptr_t>(x) % 16 == 0;
    int quads = aligned ? cols / 4 : 0;
    row_dot<<<rows, kThreads>>>(cols, quads, A, x, y);
}
