// Group norm: a block finds the mean and the spread of a group.
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

__global__ void measure(int size, float eps, const float* x, float2* moments) {
    __shared__ float part[8];
    const float* own = x + (size_t)blockIdx.x * size;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < size; i += 256) sum += own[i];
    const float mean = sum_of(sum, part) / size;
    for (int i = threadIdx.x; i < size; i += 256) square += (own[i] - mean) * (own[i] - mean);
    square = sum_of(square, part);
    if (threadIdx.x == 0) moments[blockIdx.x] = make_float2(mean, rsqrtf(square / size + eps));
}

__global__ void scale(long long total, int groups, int per, int pixels, const float2* moments, const float* gain, const float* bias, const float* x, float* y) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    const long long row = i / pixels;
    const int c = row % (groups * per);
    const float2 m = moments[row / per];
    const float v = (x[i] - m.x) * m.y * gain[c] + bias[c];
    y[i] = v / (1 + expf(-v));
}

extern "C" void group_norm_swish(int batch, int groups, int per, int pixels, float eps, const float* gain, const float* bias, const float* x, float* y) {
    const int total = batch * groups;
    const long long values = (long long)total * per * pixels;
    float2* moments = nullptr;
    cudaMallocAsync(&moments, sizeof(float2) * total, 0);
    measure<<<total, 256>>>(per * pixels, eps, x, moments);
    scale<<<(unsigned)((values + 255) / 256), 256>>>(values, groups, per, pixels, moments, gain, bias, x, y);
    cudaFreeAsync(moments, 0);
}
