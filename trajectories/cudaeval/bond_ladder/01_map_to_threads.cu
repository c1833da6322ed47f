// Bond ladder: one bond a thread, a power a payment, an atomic a bond.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void value(int bonds, const double* coupon, const double* yield, const int32_t* periods, double* price, double* duration, double* convexity,
                      double* buckets) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bonds) return;
    double sum = 0.0, first = 0.0, second = 0.0;
    for (int k = 1; k <= periods[i]; ++k) {
        const double worth = (coupon[i] + (k == periods[i] ? 100.0 : 0.0)) * pow(1.0 + yield[i] / 2, -(double)k);
        sum += worth;
        first += worth * k / 2;
        second += worth * k * (k + 1) / 4;
    }
    price[i] = sum;
    duration[i] = first / sum;
    convexity[i] = second / sum;
    atomicAdd(&buckets[periods[i] / 8], sum);
}

extern "C" void bond_ladder(int bonds, const double* coupon, const double* yield, const int32_t* periods, double* price, double* duration,
                            double* convexity, double* buckets) {
    cudaMemsetAsync(buckets, 0, 8 * sizeof(double));
    value<<<(bonds + 255) / 256, 256>>>(bonds, coupon, yield, periods, price, duration, convexity, buckets);
}
