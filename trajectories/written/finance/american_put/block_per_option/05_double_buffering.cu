// American puts on a binomial tree, one block per option; two value arrays alternate, one barrier per level.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

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

__global__ void price_options(int steps, float rate, float volatility, const float* spot, const float* strike,
                              const float* years, float* price) {
    extern __shared__ float shared[];
    float* value = shared;                          // steps + 1: the level above
    float* next = shared + steps + 1;               // steps + 1: the level being computed
    float* exercised = shared + 2 * (steps + 1);    // 2 * steps + 1; entry e + steps for e ups more than downs
    const int o = blockIdx.x, t = threadIdx.x;
    Tree tree = tree_of(years[o], steps, rate, volatility);

    for (int e = t; e <= 2 * steps; e += kThreads)
        exercised[e] = strike[o] - spot[o] * expf(tree.log_up * (e - steps));
    __syncthreads();
    for (int j = t; j <= steps; j += kThreads) value[j] = fmaxf(exercised[2 * j], 0.0f);
    __syncthreads();

    for (int i = steps - 1; i >= 0; --i) {
        for (int j = t; j <= i; j += kThreads) {
            float held = tree.weight_up * value[j + 1] + tree.weight_down * value[j];
            next[j] = fmaxf(exercised[2 * j - i + steps], held);
        }
        __syncthreads();
        float* swapped = value;
        value = next;
        next = swapped;
    }
    if (t == 0) price[o] = value[0];
}

extern "C" void american_put(int options, int steps, float rate, float volatility, const float* spot,
                             const float* strike, const float* years, float* price) {
    size_t shared_bytes = (4 * steps + 3) * sizeof(float);
    price_options<<<options, kThreads, shared_bytes>>>(steps, rate, volatility, spot, strike, years, price);
}
