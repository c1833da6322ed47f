// American puts on a binomial tree, one thread per option; what exercise brings is tabulated once per price level.
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
                              const float* strike, const float* years, float* values, float* exercise, float* price) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= options) return;
    Tree tree = tree_of(years[o], steps, rate, volatility);
    float* value = values + o;  // node j of this option lies at value[j * options]
    const size_t next = options;
    // A node's price depends only on ups minus downs, e = 2j - i; entry e + steps holds its exercise value.
    float* exercised = exercise + o;
    for (int e = -steps; e <= steps; ++e) exercised[(e + steps) * next] = strike[o] - spot[o] * expf(tree.log_up * e);

    for (int j = 0; j <= steps; ++j) value[j * next] = fmaxf(exercised[2 * j * next], 0.0f);
    for (int i = steps - 1; i >= 0; --i) {
        for (int j = 0; j <= i; ++j) {
            float held = tree.weight_up * value[(j + 1) * next] + tree.weight_down * value[j * next];
            value[j * next] = fmaxf(exercised[(2 * j - i + steps) * next], held);
        }
    }
    price[o] = value[0];
}

extern "C" void american_put(int options, int steps, float rate, float volatility, const float* spot,
                             const float* strike, const float* years, float* price) {
    const int threads = 128;
    float* values = nullptr;  // steps + 1 values, then 2 * steps + 1 exercise values for each option
    cudaMalloc(&values, (size_t)options * (3 * steps + 2) * sizeof(float));
    float* exercise = values + (size_t)options * (steps + 1);
    price_options<<<(options - 1) / threads + 1, threads>>>(options, steps, rate, volatility, spot, strike, years,
                                                            values, exercise, price);
    cudaFree(values);
}
