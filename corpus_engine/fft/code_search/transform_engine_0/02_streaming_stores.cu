#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// code_search: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// streaming_stores [nest 1]: what is touched once goes past the caches.
//
// The nest at line 18 of the reference runs in one thread: its iterations depend on each other.
//
// The loop at line 9 of the reference runs in one thread: its iterations are not known in advance.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void code_search_1_map(int n, const signed char* code, const short* chips, int* spectrum, int row) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        __stcs(&spectrum[(unsigned long long)row * n + i],
               __ldcs(&code[i]) * __ldcs(&chips[(unsigned long long)row * n + i]));
    }
}

__global__ void code_search_2_scalars(int n, int* spectrum, int* best, int row) {
    for (int half = 1; half < n; half *= 2) {
        for (int i = 0; i < n; ++i) {
            if (!(i & half)) {
                const int a = spectrum[(unsigned long long)row * n + i];
                const int b = spectrum[(unsigned long long)row * n + (i + half)];
                spectrum[(unsigned long long)row * n + i] = a + b;
                spectrum[(unsigned long long)row * n + (i + half)] = a - b;
            }
        }
    }
    best[0] = 0;
}

__global__ void code_search_3_serial(int rows, int n, const int* spectrum, int* best, int row) {
    if (row >= 0 && row < rows) {
        for (int i = 1; i < n; ++i) {
            if (abs(spectrum[(unsigned long long)row * n + i]) > abs(spectrum[(unsigned long long)row * n + best[0]])) {
                best[0] = i;
            }
        }
    }
}

__global__ void code_search_4_scalars(int* peak, int* best, int row) { peak[row] = best[0]; }

extern "C" void code_search(int rows, int n, const signed char* code, const short* chips, int* spectrum, int* peak) {
    int* best = nullptr;
    if (cudaMalloc(&best, sizeof(int)) == cudaSuccess) {
        for (int row = 0; row < rows; ++row) {
            if (n >= 1 && row >= 0 && row < rows) {
                code_search_1_map<<<(n - 1) / 256 + 1, 256>>>(n, code, chips, spectrum, row);
            }
            code_search_2_scalars<<<1, 1>>>(n, spectrum, best, row);
            code_search_3_serial<<<1, 1>>>(rows, n, spectrum, best, row);
            code_search_4_scalars<<<1, 1>>>(peak, best, row);
        }
    }
    cudaFree(best);
}