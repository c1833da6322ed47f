// Tensor basis: a thread takes a whole line along an axis into registers, and makes all its results.
#include <cuda_runtime.h>

constexpr int kCube = 12 * 12 * 12;

__device__ void turn(int n, const float* w, const float* in, float* out) {
    for (int rest = threadIdx.x; rest < n * n; rest += blockDim.x) {
        float line[12];
#pragma unroll
        for (int k = 0; k < 12; ++k) line[k] = k < n ? in[k * n * n + rest] : 0.0f;
        for (int a = 0; a < n; ++a) {
            float sum = 0.0f;
#pragma unroll
            for (int k = 0; k < 12; ++k)
                if (k < n) sum += w[a * n + k] * line[k];
            out[rest * n + a] = sum;
        }
    }
    __syncthreads();
}

__global__ void rotate(int n, const float* w, const float* in, float* out) {
    __shared__ float matrix[144], first[kCube], second[kCube];
    const size_t cube = (size_t)n * n * n;
    for (int k = threadIdx.x; k < n * n; k += blockDim.x) matrix[k] = w[k];
    for (int k = threadIdx.x; k < (int)cube; k += blockDim.x) first[k] = in[blockIdx.x * cube + k];
    __syncthreads();
    turn(n, matrix, first, second);
    turn(n, matrix, second, first);
    turn(n, matrix, first, out + blockIdx.x * cube);
}

extern "C" void kron_rotate(int tensors, int n, const float* w, const float* in, float* out) {
    rotate<<<tensors, 64>>>(n, w, in, out);
}
