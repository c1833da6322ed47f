// Power flow: one bus a thread, an atomic maximum a bus.
#include <cuda_runtime.h>

#include <cstdint>

// Of numbers that are not negative, the order of their bits is theirs.
__device__ void raise(double* worst, double value) { atomicMax(reinterpret_cast<unsigned long long*>(worst), (unsigned long long)__double_as_longlong(value)); }

__global__ void mismatch(int buses, const int32_t* start, const int32_t* column, const double* g, const double* b, const double* volt,
                         const double* theta, const double* p, const double* q, const uint8_t* kind, double* dp, double* dq, double* worst) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= buses) return;
    double active = 0.0, reactive = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
        const int j = column[k];
        const double angle = theta[i] - theta[j];
        active += volt[j] * (g[k] * cos(angle) + b[k] * sin(angle));
        reactive += volt[j] * (g[k] * sin(angle) - b[k] * cos(angle));
    }
    dp[i] = kind[i] == 2 ? 0.0 : p[i] - volt[i] * active;
    dq[i] = kind[i] == 0 ? q[i] - volt[i] * reactive : 0.0;
    raise(worst, fmax(fabs(dp[i]), fabs(dq[i])));
}

extern "C" void power_flow_rows(int buses, int, const int32_t* row_start, const int32_t* column, const double* g, const double* b,
                                const double* volt, const double* theta, const double* p, const double* q, const uint8_t* kind, double* dp,
                                double* dq, double* worst) {
    cudaMemsetAsync(worst, 0, sizeof(double));
    mismatch<<<(buses + 127) / 128, 128>>>(buses, row_start, column, g, b, volt, theta, p, q, kind, dp, dq, worst);
}
