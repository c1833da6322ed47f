// Tridiagonal systems: scratch is interleaved as the systems are.
#include <cuda_runtime.h>

__global__ void solve(int systems, int n, const double* low, const double* mid, const double* high, double* rhs, double* mass, double* upper) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    double* own = upper + s;
    for (int i = 0; i < n; ++i) {
        const size_t at = (size_t)i * systems + s;
        const double below = i ? low[at] : 0.0, pivot = mid[at] - (i ? below * own[(size_t)(i - 1) * systems] : 0.0);
        own[(size_t)i * systems] = i + 1 < n ? high[at] / pivot : 0.0;
        rhs[at] = (rhs[at] - (i ? below * rhs[at - systems] : 0.0)) / pivot;
    }
    double sum = rhs[(size_t)(n - 1) * systems + s];
    for (int i = n - 2; i >= 0; --i) {
        const size_t at = (size_t)i * systems + s;
        rhs[at] -= own[(size_t)i * systems] * rhs[at + systems];
        sum += rhs[at];
    }
    mass[s] = sum;
}

extern "C" void thomas_lines(int systems, int n, const double* low, const double* mid, const double* high, double* rhs, double* mass) {
    double* upper = nullptr;
    cudaMallocAsync(&upper, sizeof(double) * n * systems, 0);
    solve<<<(systems + 127) / 128, 128>>>(systems, n, low, mid, high, rhs, mass, upper);
    cudaFreeAsync(upper, 0);
}
