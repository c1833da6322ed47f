// Bond ladder: a power is the last one times v.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void value(int bonds, const double* coupon, const double* yield, const int32_t* periods, double* price, double* duration, double* convexity,
                      double* buckets) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bonds) return;
    const int last = periods[i];
    const double v = 1.0 / (1.0 + yield[i] / 2), paid = coupon[i];
    double sum = 0.0, first = 0.0, second = 0.0, power = 1.0;
    for (int k = 1; k <= last; ++k) {
        power *= v;
        const double worth = paid * power, weighted = worth * k;
        sum += worth;
        first += weighted;
        second += weighted * (k + 1);
    }
    const double end = 100.0 * power;
    sum += end;
    first = (first + end * last) / 2;
    second = (second + end * last * (last + 1)) / 4;
    price[i] = sum;
    duration[i] = first / sum;
    convexity[i] = second / sum;
    atomicAdd(&buckets[last / 8], sum);
}

extern "C" void bond_ladder(int bonds, const double* coupon, const double* yield, const int32_t* periods, double* price, double* duration,
                            double* convexity, double* buckets) {
    cudaMemsetAsync(buckets, 0, 8 * sizeof(double));
    value<<<(bonds + 255) / 256, 256>>>(bonds, coupon, yield, periods, price, duration, convexity, buckets);
}
