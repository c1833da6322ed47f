// Worst-of puts: a block adds up the payoffs of one option on a slice of the paths in shared memory; a second kernel joins slices.
#include <cuda_runtime.h>

constexpr int kShares = 8;
constexpr int kThreads = 256;
constexpr int kSlices = 128;  // of the paths, at most

__global__ void simulate(int paths, const float* z, const float* factor, const float* drift, const float* volatility, float* worst) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= paths) return;
    float least = INFINITY;
    const float* row = factor;
    for (int i = 0; i < kShares; ++i) {
        float correlated = 0.0f;
        for (int j = 0; j <= i; ++j) correlated += row[j] * z[(size_t)p * kShares + j];
        row += i + 1;
        least = fminf(least, expf(drift[i] + volatility[i] * correlated));
    }
    worst[p] = least;
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
    return sum[0];
}

__global__ void add_slices(int paths, const float* worst, const float* strike, double* partial) {
    const float own = strike[blockIdx.y];
    double sum = 0.0;
    for (int p = blockIdx.x * kThreads + threadIdx.x; p < paths; p += gridDim.x * kThreads) sum += fmaxf(own - worst[p], 0.0f);
    sum = add_block(sum);
    if (threadIdx.x == 0) partial[blockIdx.y * gridDim.x + blockIdx.x] = sum;
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
    simulate<<<(paths - 1) / kThreads + 1, kThreads>>>(paths, z, factor, drift, volatility, worst);
    double* partial = nullptr;
    cudaMalloc(&partial, (size_t)options * kSlices * sizeof(double));
    const int slices = min(kSlices, (paths - 1) / kThreads + 1);
    add_slices<<<dim3(slices, options), kThreads>>>(paths, worst, strike, partial);
    average<<<(options - 1) / kThreads + 1, kThreads>>>(paths, options, slices, partial, price);
    cudaFree(partial);
    cudaFree(worst);
}
