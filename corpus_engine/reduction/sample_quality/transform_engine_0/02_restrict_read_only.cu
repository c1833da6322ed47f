#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// sample_quality: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void sample_quality_1_map(int runs, int n, const float* __restrict__ log_weight,
                                     float* __restrict__ log_mean, float* __restrict__ effective) {
    const int r = blockIdx.x * 256 + threadIdx.x;
    float top;
    double sum;
    double squares;
    if (r < runs) {
        top = log_weight[(long long)r * n];
        for (int i = 1; i < n; ++i) {
            top = fmaxf(top, log_weight[(long long)r * n + i]);
        }
        sum = 0.0;
        squares = 0.0;
        for (int i = 0; i < n; ++i) {
            const float w = exp(log_weight[(long long)r * n + i] - top);
            sum += w;
            squares += (double)w * w;
        }
        log_mean[r] = (float)(top + log(sum / n));
        effective[r] = (float)(sum * sum / squares);
    }
}

extern "C" void sample_quality(int runs, int n, const float* log_weight, float* log_mean, float* effective) {
    if (runs >= 1) {
        sample_quality_1_map<<<(runs - 1) / 256 + 1, 256>>>(runs, n, log_weight, log_mean, effective);
    }
}