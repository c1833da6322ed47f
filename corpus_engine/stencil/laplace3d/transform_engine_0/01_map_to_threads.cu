#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// laplace3d: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 6 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void laplace3d_1_serial(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out,
                                   long long row, long long plane) {
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                const unsigned long long i = z * plane + y * row + x;
                const bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
                if (inside) {
                    const float sum = in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane];
                    out[i] = center * in[i] + neighbour * sum;
                } else {
                    out[i] = in[i];
                }
            }
        }
    }
}

extern "C" void laplace3d(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out) {
    const long long row = nx;
    const long long plane = (unsigned long long)nx * ny;
    laplace3d_1_serial<<<1, 1>>>(nx, ny, nz, center, neighbour, in, out, row, plane);
}