// Worst-of puts: a thread adds up eight options for each worst performance that it loads, in registers.
#include <cuda_runtime.h>

constexpr int kShares = 8;
constexpr int kEntries = kShares * (kShares + 1) / 2;
constexpr int kThreads = 256;
constexpr int kSlices = 128;  // of the paths, at most
constexpr int kOptions = 8;   // of a block

template <bool kAligned>
__device__ void load_normals(const float* z, float (&normal)[kShares]) {
    if constexpr (kAligned) {
        const float4 a = ((const float4*)z)[0], b = ((const float4*)z)[1];
        normal[0] = a.x, normal[1] = a.y, normal[2] = a.z, normal[3] = a.w;
        normal[4] = b.x, normal[5] = b.y, normal[6] = b.z, normal[7] = b.w;
    } else {
        for (int j = 0; j < kShares; ++j) normal[j] = z[j];
    }
}

template <bool kAligned>
__global__ void simulate(int paths, const float* z, const float* factor, const float* drift, const float* volatility, float* worst) {
    __shared__ float entry[kEntries], shift[kShares];
    if (threadIdx.x < kEntries) {
        int row = 0;
        while ((row + 1) * (row + 2) / 2 <= (int)threadIdx.x) ++row;
        entry[threadIdx.x] = volatility[row] * factor[threadIdx.x];
    }
    if (threadIdx.x < kShares) shift[threadIdx.x] = drift[threadIdx.x];
    __syncthreads();
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= paths) return;
    float normal[kShares];
    load_normals<kAligned>(z + (size_t)p * kShares, normal);
    float least = INFINITY;
#pragma unroll
    for (int i = 0; i < kShares; ++i) {
        float exponent = shift[i];
#pragma unroll
        for (int j = 0; j <= i; ++j) exponent += entry[i * (i + 1) / 2 + j] * normal[j];
        least = fminf(least, exponent);
    }
    worst[p] = expf(least);
}

// The sum over the block's threads, in thread 0.
__device__ double add_block(double value) {
    __shared__ double sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
        __syncthreads();
    }
    const double all = sum[0];
    __syncthreads();
    return all;
}

__global__ void add_slices(int paths, int options, const float* worst, const float* strike, double* partial) {
    const int first = blockIdx.y * kOptions;
    float own[kOptions];
    double sum[kOptions];
    for (int o = 0; o < kOptions; ++o) own[o] = strike[min(first + o, options - 1)], sum[o] = 0.0;
    for (int p = blockIdx.x * kThreads + threadIdx.x; p < paths; p += gridDim.x * kThreads) {
        const float least = worst[p];
#pragma unroll
        for (int o = 0; o < kOptions; ++o) sum[o] += fmaxf(own[o] - least, 0.0f);
    }
    for (int o = 0; o < kOptions; ++o) {
        const double all = add_block(sum[o]);
        if (threadIdx.x == 0 && first + o < options) partial[(first + o) * gridDim.x + blockIdx.x] = all;
    }
}

__global__ void average(int paths, int options, int slices, const double* partial, float* price) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= options) return;
    double sum = 0.0;
    for (int s = 0; s < slices; ++s) sum += partial[k * slices + s];
    price[k] = (float)(sum / paths);
}

extern "C" void worst_of_basket(int paths, int options, const float* z, const float* factor, const float* drift, const float* volatility,
                                const float* strike, float* price) {
    float* worst = nullptr;
    cudaMalloc(&worst, (size_t)paths * sizeof(float));
    const int blocks = (paths - 1) / kThreads + 1;
    if ((size_t)z % sizeof(float4) == 0)
        simulate<true><<<blocks, kThreads>>>(paths, z, factor, drift, volatility, worst);
    else
        simulate<false><<<blocks, kThreads>>>(paths, z, factor, drift, volatility, worst);
    double* partial = nullptr;
    cudaMalloc(&partial, (size_t)options * kSlices * sizeof(double));
    const int slices = min(kSlices, (paths - 1) / kThreads + 1);
    add_slices<<<dim3(slices, (options - 1) / kOptions + 1), kThreads>>>(paths, options, worst, strike, partial);
    average<<<(options - 1) / kThreads + 1, kThreads>>>(paths, options, slices, partial, price);
    cudaFree(partial);
    cudaFree(worst);
}
