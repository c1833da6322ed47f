#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// rle_encode: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// The nest at line 6 of the reference runs in one thread: its iterations depend on each other.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void rle_encode_1_scalars(int* k) { k[0] = -1; }

__global__ void rle_encode_2_serial(int n, const unsigned char* mask, unsigned char* value, int* length, int* k) {
    for (int i = 0; i < n; ++i) {
        if (i == 0 || mask[i] != mask[i - 1]) {
            k[0] += 1;
            value[k[0]] = mask[i];
            length[k[0]] = 0;
        }
        length[k[0]] += 1;
    }
}

__global__ void rle_encode_3_scalars(int* runs, int* k) { runs[0] = k[0] + 1; }

extern "C" void rle_encode(int n, const unsigned char* mask, unsigned char* value, int* length, int* runs) {
    int* k = nullptr;
    if (cudaMalloc(&k, sizeof(int)) == cudaSuccess) {
        rle_encode_1_scalars<<<1, 1>>>(k);
        rle_encode_2_serial<<<1, 1>>>(n, mask, value, length, k);
        rle_encode_3_scalars<<<1, 1>>>(runs, k);
    }
    cudaFree(k);
}