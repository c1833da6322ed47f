#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// lars_update: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// The nest at line 13 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void lars_update_1_serial(int tensors, float rate, float decay, float trust, const int* __restrict__ start,
                                     const float* __restrict__ gradient, float* __restrict__ weight,
                                     float* __restrict__ momentum, float* __restrict__ ratio) {
    for (int k = 0; k < tensors; ++k) {
        const int begin = start[k];
        const int end = start[k + 1];
        double norm_result;
        double sum = 0.0;
        for (int i = begin; i < end; ++i) {
            sum += (double)weight[i] * weight[i];
        }
        norm_result = sqrt(sum);
        const double w = norm_result;
        const int begin_2 = start[k];
        const int end_2 = start[k + 1];
        double norm_result_2;
        double sum_2 = 0.0;
        for (int i = begin_2; i < end_2; ++i) {
            sum_2 += (double)gradient[i] * gradient[i];
        }
        norm_result_2 = sqrt(sum_2);
        const double g = norm_result_2;
        ratio[k] = (w > 0.0 && g > 0.0) ? (float)(trust * w / (g + decay * w)) : 1.0f;
        const float step = rate * ratio[k];
        for (int i = start[k]; i < start[k + 1]; ++i) {
            momentum[i] = 0.9f * momentum[i] + step * (gradient[i] + decay * weight[i]);
            weight[i] -= momentum[i];
        }
    }
}

extern "C" void lars_update(int tensors, int n, float rate, float decay, float trust, const int* start,
                            const float* gradient, float* weight, float* momentum, float* ratio) {
    (void)n;
    lars_update_1_serial<<<1, 1>>>(tensors, rate, decay, trust, start, gradient, weight, momentum, ratio);
}