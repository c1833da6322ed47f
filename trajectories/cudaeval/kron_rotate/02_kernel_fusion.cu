// Tensor basis: a block keeps a tensor and the matrix in shared memory through all three turns.
#include <cuda_runtime.h>

constexpr int kCube = 12 * 12 * 12;

__device__ void turn(int n, const float* w, const float* in, float* out) {
    for (int place = threadIdx.x; place < n * n * n; place += blockDim.x) {
        const int rest = place / n, a = place % n;
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) sum += w[a * n + k] * in[k * n * n + rest];
        out[place] = sum;
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
    rotate<<<tensors, 128>>>(n, w, in, out);
}
