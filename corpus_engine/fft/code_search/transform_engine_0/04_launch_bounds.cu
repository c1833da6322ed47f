#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// code_search: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// streaming_stores [nest 1]: what is touched once goes past the caches.
// vectorised_access(width 4) [nest 1]: neighbouring elements loaded and stored together.
// launch_bounds(blocks 2) [nest 1]: registers limited, so that several blocks share a multiprocessor.
//
// The nest at line 18 of the reference runs in one thread: its iterations depend on each other.
//
// The loop at line 9 of the reference runs in one thread: its iterations are not known in advance.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2)
    code_search_1_map(int n, const signed char* code, const short* chips, int* spectrum, int row) {
    const int i_first = (blockIdx.x * 256 + threadIdx.x) * 4;
    const bool whole_groups =
        (size_t)code % 4 == 0 && (size_t)chips % 8 == 0 && (size_t)spectrum % 16 == 0 && n % 4 == 0;
    // 4 neighbouring points: one wide access an array; at the ends, and off boundaries, one by one.
    if (whole_groups && n >= i_first + 4) {
        alignas(4) signed char code_lanes[4];
        *reinterpret_cast<char4*>(code_lanes) = __ldcs(reinterpret_cast<const char4*>(&code[i_first]));
        alignas(8) short chips_lanes[4];
        *reinterpret_cast<short4*>(chips_lanes) = __ldcs(reinterpret_cast<const short4*>(&chips[n * row + i_first]));
        alignas(16) int spectrum_lanes[4];
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            spectrum_lanes[lane] = code_lanes[lane] * chips_lanes[lane];
        }
        __stcs(reinterpret_cast<int4*>(&spectrum[n * row + i_first]), *reinterpret_cast<const int4*>(spectrum_lanes));
    } else {
#pragma unroll
        for (int lane = 0; lane < 4; ++lane) {
            const int i = i_first + lane;
            if (i < n) {
                __stcs(&spectrum[(unsigned long long)row * n + i],
                       __ldcs(&code[i]) * __ldcs(&chips[(unsigned long long)row * n + i]));
            }
        }
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
                code_search_1_map<<<((n - 1) / 4) / 256 + 1, 256>>>(n, code, chips, spectrum, row);
            }
            code_search_2_scalars<<<1, 1>>>(n, spectrum, best, row);
            code_search_3_serial<<<1, 1>>>(rows, n, spectrum, best, row);
            code_search_4_scalars<<<1, 1>>>(peak, best, row);
        }
    }
    cudaFree(best);
}