#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// redblack_pressure: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    redblack_pressure_1_map(int nx, int ny, double omega, const double* kx, const double* ky, const double* rhs,
                            const unsigned char* solid, double* p, long long row, int half) {
    const int j = 1 + (blockIdx.x * 256 + threadIdx.x);
    if (ny >= j + 2) {
        const int first = 1 + (1 + j + half) % 2;
        for (int i = -((half + j) % 2) + 2; i < nx - 1; i += 2) {
            const unsigned long long c = j * row + i;
            if (!__ldcs(&solid[c])) {
                const double total = kx[c] + kx[c - 1] + ky[c] + ky[c - row];
                const double inflow =
                    kx[c] * p[c + 1] + kx[c - 1] * p[c - 1] + ky[c] * p[c + row] + ky[c - row] * p[c - row];
                p[c] += omega * ((inflow - __ldcs(&rhs[c])) / total - p[c]);
            }
        }
    }
}

extern "C" void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky,
                                  const double* rhs, const unsigned char* solid, double* p) {
    const long long row = nx;
    for (int half = 0; half < 2 * sweeps; ++half) {
        if (half >= 0 && ny >= 3 && half < 2 * sweeps) {
            redblack_pressure_1_map<<<(ny - 3) / 256 + 1, 256>>>(nx, ny, omega, kx, ky, rhs, solid, p, row, half);
        }
    }
}