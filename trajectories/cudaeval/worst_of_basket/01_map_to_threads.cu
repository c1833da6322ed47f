// Worst-of puts: a thread simulates one path and keeps its worst performance; then a thread adds up the payoffs of one option.
#include <cuda_runtime.h>

constexpr int kShares = 8;
constexpr int kThreads = 256;

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

__global__ void average(int paths, int options, const float* worst, const float* strike, float* price) {
    const int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= options) return;
    double sum = 0.0;
    for (int p = 0; p < paths; ++p) sum += fmaxf(strike[k] - worst[p], 0.0f);
    price[k] = (float)(sum / paths);
}

extern "C" void worst_of_basket(int paths, int options, const float* z, const float* factor, const float* drift, const float* volatility,
                                const float* strike, float* price) {
    float* worst = nullptr;
    cudaMalloc(&worst, (size_t)paths * sizeof(float));
    simulate<<<(paths - 1) / kThreads + 1, kThreads>>>(paths, z, factor, drift, volatility, worst);
    average<<<(options - 1) / kThreads + 1, kThreads>>>(paths, options, worst, strike, price);
    cudaFree(worst);
}
