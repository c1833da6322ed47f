// Group norm: the block that measured a group scales it too, while its values are near.
#include <cuda_runtime.h>

// the sum over 256 threads, told to all of them
__device__ float sum_of(float own, float* part) {
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
    __syncthreads();
    float sum = 0;
    for (int w = 0; w < 8; ++w) sum += part[w];
    __syncthreads();
    return sum;
}

__global__ void norm(int groups, int per, int pixels, float eps, const float* __restrict__ gain, const float* __restrict__ bias, const float* __restrict__ x,
                     float* __restrict__ y) {
    __shared__ float part[8];
    const int size = per * pixels, g = blockIdx.x % groups;
    const float* own = x + (size_t)blockIdx.x * size;
    float* out = y + (size_t)blockIdx.x * size;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < size; i += 256) sum += own[i];
    const float mean = sum_of(sum, part) / size;
    for (int i = threadIdx.x; i < size; i += 256) square += (own[i] - mean) * (own[i] - mean);
    const float share = rsqrtf(sum_of(square, part) / size + eps);
    for (int k = 0; k < per; ++k) {
        const float a = share * gain[g * per + k], b = bias[g * per + k];
        for (int i = threadIdx.x; i < pixels; i += 256) {
            const float v = (own[k * pixels + i] - mean) * a + b;
            out[k * pixels + i] = v / (1 + __expf(-v));
        }
    }
}

extern "C" void group_norm_swish(int batch, int groups, int per, int pixels, float eps, const float* gain, const float* bias, const float* x, float* y) {
    norm<<<batch * groups, 256>>>(groups, per, pixels, eps, gain, bias, x, y);
}
