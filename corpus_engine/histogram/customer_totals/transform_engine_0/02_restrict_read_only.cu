#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// customer_totals: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// The nest at line 6 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void customer_totals_1_scalars(int* next) { next[0] = 0; }

__global__ void customer_totals_2_serial(int n, int customers, const int* __restrict__ customer,
                                         const int* __restrict__ quantity, const int* __restrict__ cents,
                                         long long* __restrict__ spent, unsigned int* __restrict__ lines,
                                         int* __restrict__ dearest, int* __restrict__ next) {
    for (int c = 0; c < customers; ++c) {
        spent[c] = 0;
        lines[c] = 0;
        dearest[c] = 0;
        while (next[0] < n && customer[next[0]] == c) {
            spent[c] += (long long)quantity[next[0]] * cents[next[0]];
            lines[c] += 1;
            dearest[c] = max(dearest[c], (int)(cents[next[0]]));
            next[0] += 1;
        }
    }
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned int* lines, int* dearest) {
    int* next = nullptr;
    if (cudaMalloc(&next, sizeof(int)) == cudaSuccess) {
        customer_totals_1_scalars<<<1, 1>>>(next);
        customer_totals_2_serial<<<1, 1>>>(n, customers, customer, quantity, cents, spent, lines, dearest, next);
    }
    cudaFree(next);
}