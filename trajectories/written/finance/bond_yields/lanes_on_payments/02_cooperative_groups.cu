// Bond yields by Newton's method, four lanes per bond.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kSteps = 12;
constexpr int kLanes = 4;  // per bond

__global__ void solve(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    auto tile = cg::tiled_partition<kLanes>(cg::this_thread_block());
    const int b = (blockIdx.x * kThreads + threadIdx.x) / kLanes, lane = tile.thread_rank();
    if (b >= bonds) return;  // the whole tile leaves together
    const int count = periods[b];
    const double c = coupon[b], target = price[b];
    double y = c / 100.0;
    for (int step = 0; step < kSteps; ++step) {
        const double v = 1.0 / (1.0 + y), v2 = v * v, v4 = v2 * v2;
        double discount = (lane & 1 ? v2 : v) * (lane & 2 ? v2 : 1.0), value = 0.0, slope = 0.0;
        for (int k = lane + 1; k <= count; k += kLanes) {
            const double payment = k == count ? c + 100.0 : c;
            value += payment * discount;
            slope -= k * payment * discount * v;
            discount *= v4;
        }
        for (int distance = kLanes / 2; distance > 0; distance /= 2) {
            value += tile.shfl_xor(value, distance);
            slope += tile.shfl_xor(slope, distance);
        }
        y -= (value - target) / slope;
    }
    if (lane == 0) yield[b] = y;
}

extern "C" void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    const int bonds_per_block = kThreads / kLanes;
    solve<<<(bonds - 1) / bonds_per_block + 1, kThreads>>>(bonds, periods, coupon, price, yield);
}
