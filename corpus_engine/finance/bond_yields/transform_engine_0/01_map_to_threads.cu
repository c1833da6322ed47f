#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bond_yields: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void bond_yields_1_map(int bonds, const int* periods, const double* coupon, const double* price,
                                  double* yield) {
    const int b = blockIdx.x * 256 + threadIdx.x;
    double y;
    if (b < bonds) {
        y = coupon[b] / 100.0;
        for (int step = 0; step <= 11; ++step) {
            const double v = 1.0 / (1.0 + y);
            double discount = 1.0;
            double value = 0.0;
            double slope = 0.0;
            for (int k = 1; k <= periods[b]; ++k) {
                const double payment = k == periods[b] ? coupon[b] + 100.0 : coupon[b];
                discount *= v;
                value += payment * discount;
                slope -= k * payment * discount * v;
            }
            y -= (value - price[b]) / slope;
        }
        yield[b] = y;
    }
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    if (bonds >= 1) {
        bond_yields_1_map<<<(bonds - 1) / 256 + 1, 256>>>(bonds, periods, coupon, price, yield);
    }
}