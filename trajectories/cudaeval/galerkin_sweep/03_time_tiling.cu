// Galerkin sweep: a block takes a whole step for its elements: three more on the left are computed again, which the flux comes from.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kBefore = 3;

__device__ void stage(bool live, int place, int n, double dt, double lift, const double* matrix, double keep, double share, double whole, double own,
                      const double* element, double before, double* out) {
    double value = 0.0;
    if (live) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j) sum -= matrix[place * n + j] * element[j];
        if (place == 0) sum += lift * (before - element[0]);
        value = (keep * own + share * (element[place] + dt * sum)) / whole;
    }
    if (live) *out = value;
    __syncthreads();
}

// `own` of the step before to `out`; a block has kThreads / n elements, of which the first three are only read from.
__global__ void step(int elements, int n, double dt, double lift, const double* __restrict__ d, const double* __restrict__ u, double* __restrict__ out) {
    __shared__ double matrix[256], tile[3][kThreads];
    const int per = kThreads / n, place = threadIdx.x % n, mine = threadIdx.x / n, t = threadIdx.x, before = mine * n - 1;
    const long long e = (long long)blockIdx.x * (per - kBefore) + mine - kBefore;
    const bool live = mine < per && e < elements;
    const long long wrapped = ((e % elements) + elements) % elements;
    if (t < n * n) matrix[t] = d[t];
    const double own = live ? u[wrapped * n + place] : 0.0;
    tile[0][t] = own;
    __syncthreads();
    stage(live && mine >= 1, place, n, dt, lift, matrix, 0.0, 1.0, 1.0, own, tile[0] + mine * n, before >= 0 ? tile[0][before] : 0.0, &tile[1][t]);
    stage(live && mine >= 2, place, n, dt, lift, matrix, 3.0, 1.0, 4.0, own, tile[1] + mine * n, before >= 0 ? tile[1][before] : 0.0, &tile[2][t]);
    stage(live && mine >= 3, place, n, dt, lift, matrix, 1.0, 2.0, 3.0, own, tile[2] + mine * n, before >= 0 ? tile[2][before] : 0.0,
          &out[max(e, 0ll) * n + place]);
}

extern "C" void galerkin_sweep(int elements, int n, int steps, double dt, double lift, const double* d, double* u) {
    const size_t bytes = sizeof(double) * (size_t)elements * n;
    const int fresh = kThreads / n - kBefore;
    double* other = nullptr;
    cudaMallocAsync(&other, bytes, 0);
    for (int s = 0; s < steps; ++s)
        step<<<(elements + fresh - 1) / fresh, kThreads>>>(elements, n, dt, lift, d, s % 2 ? other : u, s % 2 ? u : other);
    if (steps % 2) cudaMemcpyAsync(u, other, bytes, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
