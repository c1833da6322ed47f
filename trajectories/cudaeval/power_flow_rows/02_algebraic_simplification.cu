// Power flow: sines and cosines once a bus; an entry turns them by the addition theorem.
#include <cuda_runtime.h>

#include <cstdint>

// Of numbers that are not negative, the order of their bits is theirs.
__device__ void raise(double* worst, double value) { atomicMax(reinterpret_cast<unsigned long long*>(worst), (unsigned long long)__double_as_longlong(value)); }

// The voltage as a complex number.
__global__ void phasors(int buses, const double* volt, const double* theta, double2* phasor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= buses) return;
    double sine, cosine;
    sincos(theta[i], &sine, &cosine);
    phasor[i] = make_double2(volt[i] * cosine, volt[i] * sine);
}

__global__ void mismatch(int buses, const int32_t* start, const int32_t* column, const double* g, const double* b, const double2* phasor,
                         const double* p, const double* q, const uint8_t* kind, double* dp, double* dq, double* worst) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= buses) return;
    const double2 own = phasor[i];
    double active = 0.0, reactive = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
        const double2 other = phasor[column[k]];
        const double along = own.x * other.x + own.y * other.y, across = own.y * other.x - own.x * other.y;
        active += g[k] * along + b[k] * across;
        reactive += g[k] * across - b[k] * along;
    }
    dp[i] = kind[i] == 2 ? 0.0 : p[i] - active;
    dq[i] = kind[i] == 0 ? q[i] - reactive : 0.0;
    raise(worst, fmax(fabs(dp[i]), fabs(dq[i])));
}

extern "C" void power_flow_rows(int buses, int, const int32_t* row_start, const int32_t* column, const double* g, const double* b,
                                const double* volt, const double* theta, const double* p, const double* q, const uint8_t* kind, double* dp,
                                double* dq, double* worst) {
    cudaMemsetAsync(worst, 0, sizeof(double));
    double2* phasor = nullptr;
    cudaMallocAsync(&phasor, sizeof(double2) * buses, 0);
    phasors<<<(buses + 255) / 256, 256>>>(buses, volt, theta, phasor);
    mismatch<<<(buses + 127) / 128, 128>>>(buses, row_start, column, g, b, phasor, p, q, kind, dp, dq, worst);
    cudaFreeAsync(phasor, 0);
}
