#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// coulomb_slice: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void coulomb_slice_1_map(int height, int width, int atoms, float spacing, const float* atom,
                                    float* potential) {
    const long long point = (long long)blockIdx.x * 128 + threadIdx.x;
    const int x = point % width;
    const int y = point / width;
    float sum;
    if (y < height) {
        sum = 0.0f;
        for (int a = 0; a < atoms; ++a) {
            const float dx = x * spacing - atom[4 * a];
            const float dy = y * spacing - atom[4 * a + 1];
            const float dz = atom[4 * a + 2];
            sum += atom[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
        }
        potential[(unsigned long long)y * width + x] = sum;
    }
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    if (height >= 1 && width >= 1) {
        coulomb_slice_1_map<<<((long long)height * width - 1) / 128 + 1, 128>>>(height, width, atoms, spacing, atom,
                                                                                potential);
    }
}