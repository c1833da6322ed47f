#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// drawdown: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    drawdown_1_map(int series, int days, const float* price, float* below, float* worst) {
    const int s = blockIdx.x * 256 + threadIdx.x;
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

extern "C" void drawdown(int series, int days, const float* price, float* below, float* worst) {
    if (series >= 1) {
        drawdown_1_map<<<(series - 1) / 256 + 1, 256>>>(series, days, price, below, worst);
    }
}