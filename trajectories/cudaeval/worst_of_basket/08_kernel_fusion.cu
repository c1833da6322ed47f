// Worst-of puts: a block simulates 256 paths at a time and adds up 64 options over them at once; no performance leaves it.
#include <cuda_runtime.h>

constexpr int kShares = 8;
constexpr int kEntries = kShares * (kShares + 1) / 2;
constexpr int kThreads = 256;
constexpr int kSlices = 132 * 6;  // of the paths, at most
constexpr int kOptions = 8;   // of a warp
constexpr int kGroup = kOptions * kThreads / 32;  // of a block

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

// The sum over the warp's lanes, in all of them.
__device__ double add_warp(double value) {
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

// Exponents are shift[i] plus the entries of row i times the normals; the least one gives the worst performance.
template <bool kAligned>
__device__ float simulate(const float* z, const float* entry, const float* shift) {
    float normal[kShares];
    load_normals<kAligned>(z, normal);
    float least = INFINITY;
#pragma unroll
    for (int i = 0; i < kShares; ++i) {
        float exponent = shift[i];
#pragma unroll
        for (int j = 0; j <= i; ++j) exponent += entry[i * (i + 1) / 2 + j] * normal[j];
        least = fminf(least, exponent);
    }
    return expf(least);
}

template <bool kAligned>
__global__ void add_slices(int paths, int options, const float* z, const float* factor, const float* drift, const float* volatility,
                           const float* strike, double* partial) {
    __shared__ float entry[kEntries], shift[kShares], worst[kThreads];
    if (threadIdx.x < kEntries) {
        int row = 0;
        while ((row + 1) * (row + 2) / 2 <= (int)threadIdx.x) ++row;
        entry[threadIdx.x] = volatility[row] * factor[threadIdx.x];
    }
    if (threadIdx.x < kShares) shift[threadIdx.x] = drift[threadIdx.x];
    const int first = blockIdx.y * kGroup + threadIdx.x / 32 * kOptions, lane = threadIdx.x % 32;
    float own[kOptions];
    double sum[kOptions];
    for (int o = 0; o < kOptions; ++o) own[o] = strike[min(first + o, options - 1)], sum[o] = 0.0;
    for (int base = blockIdx.x * kThreads; base < paths; base += gridDim.x * kThreads) {
        const int p = base + threadIdx.x;
        __syncthreads();
        worst[threadIdx.x] = p < paths ? simulate<kAligned>(z + (size_t)p * kShares, entry, shift) : INFINITY;
        __syncthreads();
        float few[kOptions] = {};
        for (int i = lane; i < kThreads; i += 32) {
            const float least = worst[i];
#pragma unroll
            for (int o = 0; o < kOptions; ++o) few[o] += fmaxf(own[o] - least, 0.0f);
        }
#pragma unroll
        for (int o = 0; o < kOptions; ++o) sum[o] += few[o];
    }
#pragma unroll
    for (int o = 0; o < kOptions; ++o) {
        sum[o] = add_warp(sum[o]);
        if (lane == 0 && first + o < options) partial[(first + o) * gridDim.x + blockIdx.x] = sum[o];
    }
}

__global__ void average(int paths, int options, int slices, const double* partial, float* price) {
    const int k = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (k >= options) return;
    double sum = 0.0;
    for (int s = lane; s < slices; s += 32) sum += partial[k * slices + s];
    sum = add_warp(sum);
    if (lane == 0) price[k] = (float)(sum / paths);
}

extern "C" void worst_of_basket(int paths, int options, const float* z, const float* factor, const float* drift, const float* volatility,
                                const float* strike, float* price) {
    const int slices = min(kSlices, (paths - 1) / kThreads + 1);
    const dim3 blocks(slices, (options - 1) / kGroup + 1);
    double* partial = nullptr;
    cudaMalloc(&partial, (size_t)options * slices * sizeof(double));
    if ((size_t)z % sizeof(float4) == 0)
        add_slices<true><<<blocks, kThreads>>>(paths, options, z, factor, drift, volatility, strike, partial);
    else
        add_slices<false><<<blocks, kThreads>>>(paths, options, z, factor, drift, volatility, strike, partial);
    average<<<(options - 1) / (kThreads / 32) + 1, kThreads>>>(paths, options, slices, partial, price);
    cudaFree(partial);
}
