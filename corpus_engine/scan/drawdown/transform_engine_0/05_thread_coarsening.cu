#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// drawdown: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// streaming_stores: what is touched once goes past the caches.
// vectorised_access(width 4): neighbouring elements loaded and stored together.
// thread_coarsening(points 2): several points a thread.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    drawdown_1_map(int series, int days, const float* price, float* below, float* worst) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int s_first = (blockIdx.x * 512 + threadIdx.x + part * 256) * 4;
        const bool whole_groups = (size_t)worst % 16 == 0;
        // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
        if (whole_groups && series >= s_first + 4) {
            alignas(16) float worst_lanes[4];
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int s = s_first + lane;
                float high;
                float deepest;
                high = price[(long long)s * days];
                deepest = 0.0f;
                for (int d = 0; d < days; ++d) {
                    high = fmaxf(high, price[(long long)s * days + d]);
                    below[(long long)s * days + d] = (high - price[(long long)s * days + d]) / high;
                    deepest = fmaxf(deepest, below[(long long)s * days + d]);
                }
                worst_lanes[lane] = deepest;
            }
            __stcs(reinterpret_cast<float4*>(&worst[s_first]), *reinterpret_cast<const float4*>(worst_lanes));
        } else {
#pragma unroll
            for (int lane = 0; lane < 4; ++lane) {
                const int s = s_first + lane;
                float high;
                float deepest;
                if (s < series) {
                    high = price[(long long)s * days];
                    deepest = 0.0f;
                    for (int d = 0; d < days; ++d) {
                        high = fmaxf(high, price[(long long)s * days + d]);
                        below[(long long)s * days + d] = (high - price[(long long)s * days + d]) / high;
                        deepest = fmaxf(deepest, below[(long long)s * days + d]);
                    }
                    __stcs(&worst[s], deepest);
                }
            }
        }
    }
}

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    if (series >= 1) {
        drawdown_1_map<<<((series - 1) / 4) / 512 + 1, 256>>>(series, days, price, below, worst);
    }
}