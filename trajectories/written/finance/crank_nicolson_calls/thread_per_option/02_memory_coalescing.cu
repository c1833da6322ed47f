// Crank-Nicolson barrier calls, one thread per option, work arrays node-major.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr double kDt = 0.01;

__global__ void price(int options, int nodes, int steps, double rate, const double* strike, const double* volatility,
                      double* scratch) {
    const int o = blockIdx.x * kThreads + threadIdx.x;
    if (o >= options) return;
    const size_t next = options, all = next * nodes;  // from one node to the next, of one array
    double *v = scratch + o, *ratio = v + all, *x = ratio + all;
    const double s2 = volatility[o] * volatility[o];
    for (int j = 0; j < nodes; ++j) v[j * next] = fmax(200.0 * j / (nodes - 1) - strike[o], 0.0);
    v[0] = v[(nodes - 1) * next] = 0.0;
    for (int step = 0; step < steps; ++step) {
        ratio[0] = x[0] = 0.0;
        for (int j = 1; j < nodes - 1; ++j) {
            const double a = 0.25 * kDt * (s2 * j * j - rate * j), b = -0.5 * kDt * (s2 * j * j + rate);
            const double c = 0.25 * kDt * (s2 * j * j + rate * j);
            const size_t at = j * next;
            const double right = a * v[at - next] + (1.0 + b) * v[at] + c * v[at + next];
            const double pivot = 1.0 - b + a * ratio[at - next];
            ratio[at] = -c / pivot;
            x[at] = (right + a * x[at - next]) / pivot;
        }
        for (int j = nodes - 2; j > 0; --j) v[j * next] = x[j * next] - ratio[j * next] * v[(j + 1) * next];
    }
}

__global__ void turn(int options, int nodes, const double* v, double* value) {
    const int j = blockIdx.x * kThreads + threadIdx.x, o = blockIdx.y;
    if (j < nodes) value[(size_t)o * nodes + j] = v[(size_t)j * options + o];
}

extern "C" void crank_nicolson_calls(int options, int nodes, int steps, double rate, const double* strike,
                                     const double* volatility, double* value) {
    double* scratch = nullptr;
    cudaMalloc(&scratch, 3 * (size_t)options * nodes * sizeof(double));
    price<<<(options - 1) / kThreads + 1, kThreads>>>(options, nodes, steps, rate, strike, volatility, scratch);
    for (int first = 0; first < options; first += 65535) {  // the grid's y is limited
        const dim3 grid((nodes - 1) / kThreads + 1, options - first < 65535 ? options - first : 65535);
        turn<<<grid, kThreads>>>(options, nodes, scratch + first, value + (size_t)first * nodes);
    }
    cudaFree(scratch);
}
