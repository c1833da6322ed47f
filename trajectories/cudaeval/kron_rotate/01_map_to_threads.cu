// Tensor basis: three launches, one value a thread, through scratch memory.
#include <cuda_runtime.h>

__global__ void turn(size_t all, int n, const float* w, const float* in, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= all) return;
    const int cube = n * n * n, place = (int)(i % cube), rest = place / n, a = place % n;
    const float* own = in + i / cube * cube + rest;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += w[a * n + k] * own[k * n * n];
    out[i] = sum;
}

extern "C" void kron_rotate(int tensors, int n, const float* w, const float* in, float* out) {
    const size_t all = (size_t)tensors * n * n * n;
    const unsigned blocks = (unsigned)((all + 255) / 256);
    float* scratch = nullptr;
    cudaMallocAsync(&scratch, sizeof(float) * all, 0);
    turn<<<blocks, 256>>>(all, n, w, in, out);
    turn<<<blocks, 256>>>(all, n, w, out, scratch);
    turn<<<blocks, 256>>>(all, n, w, scratch, out);
    cudaFreeAsync(scratch, 0);
}
