#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// energy_spectrum: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// kernel_fission(cut 1) [nest 1]: one nest cut into two kernels.
// grid_stride_loop(blocks 1056) [nest 1, 2, 3]: a fixed number of blocks strides over all points.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void energy_spectrum_1_map(int bins, unsigned int* count) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)bins; point += gridDim.x * 256) {
        const int b = point;
        count[b] = 0;
    }
}

__global__ void energy_spectrum_2_map(int bins, long long* total) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)bins; point += gridDim.x * 256) {
        const int b = point;
        total[b] = 0;
    }
}

__global__ void energy_spectrum_3_scalars(unsigned int* outside) { outside[0] = 0; }

__global__ void energy_spectrum_4_update(int n, int bins, const float* edges, const float* energy, const int* charge,
                                         unsigned int* count, long long* total, unsigned int* outside) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)n; point += gridDim.x * 256) {
        const int hit = point;
        const float e = energy[hit];
        if (!(e >= edges[0] && e < edges[bins])) {
            atomicAdd(&outside[0], (unsigned int)(1));
        } else {
            int low = 0;
            int high = bins;
            while (high - low > 1) {
                const int middle = (low + high) / 2;
                if (edges[middle] <= e) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            atomicAdd(&count[low], (unsigned int)(1));
            atomicAdd((unsigned long long*)&total[low], (unsigned long long)((long long)(charge[hit])));
        }
    }
}

extern "C" void energy_spectrum(int n, int bins, const float* edges, const float* energy, const int* charge,
                                unsigned int* count, long long* total, unsigned int* outside) {
    if (bins >= 1) {
        energy_spectrum_1_map<<<min((bins - 1) / 256 + 1, 1056), 256>>>(bins, count);
    }
    if (bins >= 1) {
        energy_spectrum_2_map<<<min((bins - 1) / 256 + 1, 1056), 256>>>(bins, total);
    }
    energy_spectrum_3_scalars<<<1, 1>>>(outside);
    if (n >= 1) {
        energy_spectrum_4_update<<<min((n - 1) / 256 + 1, 1056), 256>>>(n, bins, edges, energy, charge, count, total,
                                                                        outside);
    }
}