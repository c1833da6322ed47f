// Crank-Nicolson barrier calls, one block per option; cyclic reduction sized for 128 or 512 nodes.
#include <cuda_runtime.h>

constexpr double kDt = 0.01;

// What row j does in one round: right = own * right - down * right[j - d] - up * right[j + d].
struct Multipliers {
    double own, down, up;
};

__device__ double entry(const double* line, int nodes, int j) { return j >= 0 && j < nodes ? line[j] : 0.0; }

// For at most kNodes = 2^kRounds nodes and as many threads.
template <int kNodes, int kRounds>
__global__ void __launch_bounds__(kNodes, kNodes == 128 ? 8 : 1)
    price(int nodes, int steps, double rate, const double* strike, const double* volatility, double* value) {
    __shared__ double first[2][kNodes], second[2][kNodes];
    const int o = blockIdx.x, j = threadIdx.x;
    const double s2 = volatility[o] * volatility[o];
    const bool inside = j > 0 && j < nodes - 1;
    const double a = 0.25 * kDt * (s2 * j * j - rate * j), b = -0.5 * kDt * (s2 * j * j + rate);
    const double c = 0.25 * kDt * (s2 * j * j + rate * j), over = 1.0 / (1.0 - b);

    Multipliers kept[kRounds];
    double lower = inside ? -a * over : 0.0, upper = inside ? -c * over : 0.0;
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
        const int distance = 1 << round;
        if (distance >= nodes) break;
        double *lowers = first[round & 1], *uppers = second[round & 1];
        if (j < nodes) {
            lowers[j] = lower;
            uppers[j] = upper;
        }
        __syncthreads();
        const double below = entry(uppers, nodes, j - distance), above = entry(lowers, nodes, j + distance);
        const double scale = 1.0 / (1.0 - lower * below - upper * above);
        kept[round] = {scale, lower * scale, upper * scale};
        lower = -kept[round].down * entry(lowers, nodes, j - distance);
        upper = -kept[round].up * entry(uppers, nodes, j + distance);
    }
    __syncthreads();

    double own = inside ? fmax(200.0 * j / (nodes - 1) - strike[o], 0.0) : 0.0;
    for (int step = 0; step < steps; ++step) {
        double* v = second[0];
        if (j < nodes) v[j] = own;
        __syncthreads();
        double right = inside ? (a * v[j - 1] + (1.0 + b) * own + c * v[j + 1]) * over : 0.0;
#pragma unroll
        for (int round = 0; round < kRounds; ++round) {
            const int distance = 1 << round;
            if (distance >= nodes) break;
            double* line = first[round & 1];
            if (j < nodes) line[j] = right;
            __syncthreads();
            right = kept[round].own * right - kept[round].down * entry(line, nodes, j - distance) -
                    kept[round].up * entry(line, nodes, j + distance);
        }
        own = right;
        __syncthreads();  // before the lines are written again
    }
    if (j < nodes) value[(size_t)o * nodes + j] = own;
}

extern "C" void crank_nicolson_calls(int options, int nodes, int steps, double rate, const double* strike,
                                     const double* volatility, double* value) {
    const int threads = (nodes + 31) / 32 * 32;
    if (nodes <= 128)
        price<128, 7><<<options, threads>>>(nodes, steps, rate, strike, volatility, value);
    else
        price<512, 9><<<options, threads>>>(nodes, steps, rate, strike, volatility, value);
}
