// Clipped Adam: a block measures its row and moves it at once; the gradient's second reading hits the cache.
#include <cuda_runtime.h>

constexpr float kFirst = 0.9f, kSecond = 0.999f;

// The sum over a block of 256, known to all of it.
__device__ float block_sum(float value) {
    __shared__ float part[8];
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) sum += part[k];
    return sum;
}

__global__ void move(int width, float rate, float decay, float ceiling, const float* __restrict__ grad, float* __restrict__ m,
                     float* __restrict__ v, float* __restrict__ w, float* __restrict__ norm) {
    const size_t at = (size_t)blockIdx.x * width;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < width; i += 256) sum += grad[at + i] * grad[at + i];
    const float length = sqrtf(block_sum(sum)), scale = length > ceiling ? ceiling / length : 1.0f;
    if (threadIdx.x == 0) norm[blockIdx.x] = length;
    for (int i = threadIdx.x; i < width; i += 256) {
        const float step = grad[at + i] * scale, first = kFirst * m[at + i] + (1.0f - kFirst) * step;
        const float second = kSecond * v[at + i] + (1.0f - kSecond) * step * step;
        m[at + i] = first;
        v[at + i] = second;
        w[at + i] -= rate * (first / (sqrtf(second) + 1e-6f) + decay * w[at + i]);
    }
}

extern "C" void clipped_adam(int rows, int width, float rate, float decay, float ceiling, const float* grad, float* m, float* v, float* w,
                             float* norm) {
    move<<<rows, 256>>>(width, rate, decay, ceiling, grad, m, v, w, norm);
}
