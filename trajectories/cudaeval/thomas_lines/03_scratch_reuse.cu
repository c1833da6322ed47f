// Tridiagonal systems: what the next row needs stays in registers, and a pivot is divided by once.
#include <cuda_runtime.h>

__global__ void solve(int systems, int n, const double* low, const double* mid, const double* high, double* rhs, double* mass, double* upper) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    double *own = upper + s, last_upper = 0.0, last = 0.0;
    for (int i = 0; i < n; ++i) {
        const size_t at = (size_t)i * systems + s;
        const double below = i ? low[at] : 0.0, inverse = 1.0 / (mid[at] - below * last_upper);
        last_upper = i + 1 < n ? high[at] * inverse : 0.0;
        last = (rhs[at] - below * last) * inverse;
        own[(size_t)i * systems] = last_upper;
        rhs[at] = last;
    }
    double sum = last;
    for (int i = n - 2; i >= 0; --i) {
        const size_t at = (size_t)i * systems + s;
        last = rhs[at] - own[(size_t)i * systems] * last;
        rhs[at] = last;
        sum += last;
    }
    mass[s] = sum;
}

extern "C" void thomas_lines(int systems, int n, const double* low, const double* mid, const double* high, double* rhs, double* mass) {
    double* upper = nullptr;
    cudaMallocAsync(&upper, sizeof(double) * n * systems, 0);
    solve<<<(systems + 127) / 128, 128>>>(systems, n, low, mid, high, rhs, mass, upper);
    cudaFreeAsync(upper, 0);
}
