// Power flow: eight lanes a bus, so that rows of different length hold each other up less and loads are side by side.
#include <cuda_runtime.h>

#include <cooperative_groups.h>

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
    const auto team = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (i >= buses) return;
    const double2 own = phasor[i];
    double active = 0.0, reactive = 0.0;
    for (int k = start[i] + team.thread_rank(), end = start[i + 1]; k < end; k += 8) {
        const double2 other = phasor[column[k]];
        const double along = own.x * other.x + own.y * other.y, across = own.y * other.x - own.x * other.y;
        active += g[k] * along + b[k] * across;
        reactive += g[k] * across - b[k] * along;
    }
    for (int apart = 4; apart > 0; apart /= 2) {
        active += team.shfl_xor(active, apart);
        reactive += team.shfl_xor(reactive, apart);
    }
    if (team.thread_rank()) return;
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
    mismatch<<<(buses + 15) / 16, 128>>>(buses, row_start, column, g, b, phasor, p, q, kind, dp, dq, worst);
    cudaFreeAsync(phasor, 0);
}
