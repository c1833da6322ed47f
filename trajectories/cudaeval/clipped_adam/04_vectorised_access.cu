// Clipped Adam: four weights a load where rows begin at 16 bytes.
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

__device__ float moved(float step, float& m, float& v, float w, float rate, float decay) {
    m = kFirst * m + (1.0f - kFirst) * step;
    v = kSecond * v + (1.0f - kSecond) * step * step;
    return w - rate * (m / (sqrtf(v) + 1e-6f) + decay * w);
}

__global__ void move_by_four(int width, float rate, float decay, float ceiling, const float4* __restrict__ grad, float4* __restrict__ m,
                             float4* __restrict__ v, float4* __restrict__ w, float* __restrict__ norm) {
    const size_t at = (size_t)blockIdx.x * width;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < width; i += 256) {
        const float4 g = grad[at + i];
        sum += g.x * g.x + g.y * g.y + g.z * g.z + g.w * g.w;
    }
    const float length = sqrtf(block_sum(sum)), scale = length > ceiling ? ceiling / length : 1.0f;
    if (threadIdx.x == 0) norm[blockIdx.x] = length;
    for (int i = threadIdx.x; i < width; i += 256) {
        const float4 g = grad[at + i];
        float4 first = m[at + i], second = v[at + i], weight = w[at + i];
        weight.x = moved(g.x * scale, first.x, second.x, weight.x, rate, decay);
        weight.y = moved(g.y * scale, first.y, second.y, weight.y, rate, decay);
        weight.z = moved(g.z * scale, first.z, second.z, weight.z, rate, decay);
        weight.w = moved(g.w * scale, first.w, second.w, weight.w, rate, decay);
        m[at + i] = first;
        v[at + i] = second;
        w[at + i] = weight;
    }
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
    if (width % 4 == 0)
        move_by_four<<<rows, 256>>>(width / 4, rate, decay, ceiling, reinterpret_cast<const float4*>(grad), reinterpret_cast<float4*>(m),
                                    reinterpret_cast<float4*>(v), reinterpret_cast<float4*>(w), norm);
    else
        move<<<rows, 256>>>(width, rate, decay, ceiling, grad, m, v, w, norm);
}
