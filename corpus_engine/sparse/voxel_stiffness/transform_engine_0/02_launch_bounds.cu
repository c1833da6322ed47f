#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// voxel_stiffness: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// launch_bounds(blocks 2) [nest 1, 2]: registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2) voxel_stiffness_1_map(int nodes, float* y) {
    const int v = blockIdx.x * 256 + threadIdx.x;
    if (v < nodes) {
        y[v] = 0.0f;
    }
}

__global__ void __launch_bounds__(256, 2)
    voxel_stiffness_2_update(int elements, const int* corner, const float* density, const float* K, const float* u,
                             float* y) {
    const unsigned int point = blockIdx.x * 256 + threadIdx.x;
    const int i = point % (7 + 1);
    const int e = point / (7 + 1);
    float force;
    if (e < elements) {
        force = 0.0f;
        for (int j = 0; j <= 7; ++j) {
            force += K[8 * i + j] * u[corner[8ll * e + j]];
        }
        atomicAdd(&y[corner[8ll * e + i]], density[e] * force);
    }
}

extern "C" void voxel_stiffness(int elements, int nodes, const int* corner, const float* density, const float* K,
                                const float* u, float* y) {
    if (nodes >= 1) {
        voxel_stiffness_1_map<<<(nodes - 1) / 256 + 1, 256>>>(nodes, y);
    }
    if (elements >= 1) {
        voxel_stiffness_2_update<<<((long long)elements * (7 + 1) - 1) / 256 + 1, 256>>>(elements, corner, density, K,
                                                                                         u, y);
    }
}