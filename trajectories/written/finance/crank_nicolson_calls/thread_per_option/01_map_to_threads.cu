// Crank-Nicolson barrier calls, one thread per option.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr double kDt = 0.01;

__global__ void price(int options, int nodes, int steps, double rate, const double* strike, const double* volatility,
                      double* scratch, double* value) {
    const int o = blockIdx.x * kThreads + threadIdx.x;
    if (o >= options) return;
    double* v = value + (size_t)o * nodes;
    double *ratio = scratch + 2 * (size_t)o * nodes, *x = ratio + nodes;
    const double s2 = volatility[o] * volatility[o];
    for (int j = 0; j < nodes; ++j) v[j] = fmax(200.0 * j / (nodes - 1) - strike[o], 0.0);
    v[0] = v[nodes - 1] = 0.0;
    for (int step = 0; step < steps; ++step) {
        ratio[0] = x[0] = 0.0;
        for (int j = 1; j < nodes - 1; ++j) {
            const double a = 0.25 * kDt * (s2 * j * j - rate * j), b = -0.5 * kDt * (s2 * j * j + rate);
            const double c = 0.25 * kDt * (s2 * j * j + rate * j);
            const double right = a * v[j - 1] + (1.0 + b) * v[j] + c * v[j + 1];
            const double pivot = 1.0 - b + a * ratio[j - 1];
            ratio[j] = -c / pivot;
            x[j] = (right + a * x[j - 1]) / pivot;
        }
        for (int j = nodes - 2; j > 0; --j) v[j] = x[j] - ratio[j] * v[j + 1];
    }
}

extern "C" void crank_nicolson_calls(int options, int nodes, int steps, double rate, const double* strike,
                                     const double* volatility, double* value) {
    double* scratch = nullptr;
    cudaMalloc(&scratch, 2 * (size_t)options * nodes * sizeof(double));
    price<<<(options - 1) / kThreads + 1, kThreads>>>(options, nodes, steps, rate, strike, volatility, scratch, value);
    cudaFree(scratch);
}
