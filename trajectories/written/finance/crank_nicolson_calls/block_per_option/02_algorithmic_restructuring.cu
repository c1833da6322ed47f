// Crank-Nicolson barrier calls, one block per option; each step is solved by parallel cyclic reduction in shared memory.
#include <cuda_runtime.h>

constexpr int kMostNodes = 512;
constexpr double kDt = 0.01;

// lower * x[j - d] + x[j] + upper * x[j + d] = right, at the present distance d.
struct Row {
    double lower, upper, right;
};

__device__ Row row_at(const Row* rows, int nodes, int j) { return j >= 0 && j < nodes ? rows[j] : Row{0.0, 0.0, 0.0}; }

__global__ void price(int nodes, int steps, double rate, const double* strike, const double* volatility,
                      double* value) {
    __shared__ Row rows[2][kMostNodes];
    __shared__ double v[kMostNodes];
    const int o = blockIdx.x, j = threadIdx.x;
    const double s2 = volatility[o] * volatility[o];
    const bool inside = j > 0 && j < nodes - 1;
    const double a = 0.25 * kDt * (s2 * j * j - rate * j), b = -0.5 * kDt * (s2 * j * j + rate);
    const double c = 0.25 * kDt * (s2 * j * j + rate * j);
    double own = inside ? fmax(200.0 * j / (nodes - 1) - strike[o], 0.0) : 0.0;
    for (int step = 0; step < steps; ++step) {
        if (j < nodes) v[j] = own;
        __syncthreads();
        Row mine = {0.0, 0.0, 0.0};
        if (inside) mine = {-a / (1.0 - b), -c / (1.0 - b),
                            (a * v[j - 1] + (1.0 + b) * own + c * v[j + 1]) / (1.0 - b)};
        int turn = 0;
        for (int distance = 1; distance < nodes; distance *= 2, turn ^= 1) {
            if (j < nodes) rows[turn][j] = mine;
            __syncthreads();
            const Row down = row_at(rows[turn], nodes, j - distance), up = row_at(rows[turn], nodes, j + distance);
            const double scale = 1.0 / (1.0 - mine.lower * down.upper - mine.upper * up.lower);
            mine = {-mine.lower * down.lower * scale, -mine.upper * up.upper * scale,
                    (mine.right - mine.lower * down.right - mine.upper * up.right) * scale};
        }
        own = mine.right;
        __syncthreads();  // before v and the rows are written again
    }
    if (j < nodes) value[(size_t)o * nodes + j] = own;
}

extern "C" void crank_nicolson_calls(int options, int nodes, int steps, double rate, const double* strike,
                                     const double* volatility, double* value) {
    const int threads = (nodes + 31) / 32 * 32;
    price<<<options, threads>>>(nodes, steps, rate, strike, volatility, value);
}
