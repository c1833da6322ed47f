// American puts on a binomial tree, one thread per option, node values in scratch memory.
#include <cuda_runtime.h>

struct Tree {
    float weight_up, weight_down;  // discounted probabilities
    float log_up;                  // logarithm of the up factor
};

__device__ Tree tree_of(float years, int steps, float rate, float volatility) {
    double dt = (double)years / steps;
    double up = exp((double)volatility * sqrt(dt));
    double growth = exp((double)rate * dt);
    double p = (growth - 1.0 / up) / (up - 1.0 / up);
    return {(float)(p / growth), (float)((1.0 - p) / growth), (float)log(up)};
}

__global__ void price_options(int options, int steps, float rate, float volatility, const float* spot,
                              const float* strike, const float* years, float* values, float* price) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= options) return;
    Tree tree = tree_of(years[o], steps, rate, volatility);
    float* value = values + (size_t)o * (steps + 1);
    for (int j = 0; j <= steps; ++j) {
        float node = spot[o] * expf(tree.log_up * (2 * j - steps));
        value[j] = fmaxf(strike[o] - node, 0.0f);
    }
    for (int i = steps - 1; i >= 0; --i) {
        for (int j = 0; j <= i; ++j) {
            float held = tree.weight_up * value[j + 1] + tree.weight_down * value[j];
            float node = spot[o] * expf(tree.log_up * (2 * j - i));
            value[j] = fmaxf(strike[o] - node, held);
        }
    }
    price[o] = value[0];
}

extern "C" void american_put(int options, int steps, float rate, float volatility, const float* spot,
                             const float* strike, const float* years, float* price) {
    const int threads = 128;
    float* values = nullptr;
    cudaMalloc(&values, (size_t)options * (steps + 1) * sizeof(float));
    price_options<<<(options - 1) / threads + 1, threads>>>(options, steps, rate, volatility, spot, strike, years,
                                                            values, price);
    cudaFree(values);
}
