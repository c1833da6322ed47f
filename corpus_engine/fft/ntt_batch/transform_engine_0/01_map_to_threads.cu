#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// ntt_batch: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 8 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

constexpr unsigned int kModulus = 998244353u;

__global__ void ntt_batch_1_serial(int polys, int n, const unsigned int* roots, unsigned int* a) {
    for (int poly = 0; poly < polys; ++poly) {
        long long z_at = 1;
        for (int len = n / 2; len >= 1; len = len / 2) {
            int start = 0;
            while (start < n) {
                for (int j = start; j < start + len; ++j) {
                    const unsigned int t =
                        (unsigned int)((unsigned long long)roots[z_at] * a[n * (long long)poly + (j + len)] % kModulus);
                    const unsigned int u = a[n * (long long)poly + j];
                    a[n * (long long)poly + (j + len)] = u >= t ? u - t : u + kModulus - t;
                    a[n * (long long)poly + j] = u + t >= kModulus ? u + t - kModulus : u + t;
                }
                start += 2 * len;
                z_at += 1;
            }
        }
    }
}

extern "C" void ntt_batch(int polys, int n, const unsigned int* roots, unsigned int* a) {
    ntt_batch_1_serial<<<1, 1>>>(polys, n, roots, a);
}