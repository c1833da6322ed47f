#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// bond_yields: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
// vectorised_access(width 2): neighbouring elements loaded and stored together.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    bond_yields_1_map(int bonds, const int* __restrict__ periods, const double* __restrict__ coupon,
                      const double* __restrict__ price, double* __restrict__ yield) {
    const int b_first = (blockIdx.x * 256 + threadIdx.x) * 2;
    const bool whole_groups = (size_t)coupon % 16 == 0 && (size_t)yield % 16 == 0;
    // 2 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && bonds >= b_first + 2) {
        alignas(16) double coupon_lanes[2];
        *reinterpret_cast<double2*>(coupon_lanes) = *reinterpret_cast<const double2*>(&coupon[b_first]);
        alignas(16) double yield_lanes[2];
#pragma unroll
        for (int lane = 0; lane < 2; ++lane) {
            const int b = b_first + lane;
            double y;
            y = coupon_lanes[lane] / 100.0;
            for (int step = 0; step <= 11; ++step) {
                const double v = 1.0 / (1.0 + y);
                double discount = 1.0;
                double value = 0.0;
                double slope = 0.0;
                for (int k = 1; k <= periods[b]; ++k) {
                    const double payment = k == periods[b] ? coupon_lanes[lane] + 100.0 : coupon_lanes[lane];
                    discount *= v;
                    value += payment * discount;
                    slope -= k * payment * discount * v;
                }
                y -= (value - price[b]) / slope;
            }
            yield_lanes[lane] = y;
        }
        *reinterpret_cast<double2*>(&yield[b_first]) = *reinterpret_cast<const double2*>(yield_lanes);
    } else {
#pragma unroll
        for (int lane = 0; lane < 2; ++lane) {
            const int b = b_first + lane;
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
    }
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    if (bonds >= 1) {
        bond_yields_1_map<<<((bonds + 1) / 2 - 1) / 256 + 1, 256>>>(bonds, periods, coupon, price, yield);
    }
}