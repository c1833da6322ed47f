#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// int4_linear: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void int4_linear_1_map(int tokens, int rows, int cols, const unsigned char* packed, const float* scale,
                                  const unsigned char* zero, const float* x, float* y, int groups) {
    const long long point = (long long)blockIdx.x * 256 + threadIdx.x;
    const int r = point % rows;
    const int t = point / rows;
    float out;
    float part;
    int z;
    if (t < tokens) {
        out = 0.0f;
        for (int g = 0; g < groups; ++g) {
            part = 0.0f;
            z = zero[r * groups + g];
            for (int c = 64 * g; c <= 64 * g + 63; c += 2) {
                const unsigned char byte = packed[((long long)r * cols + c) / 2];
                part += (float)((byte & 15) - z) * x[t * cols + c];
                part += (float)((byte >> 4) - z) * x[t * cols + c + 1];
            }
            out += scale[r * groups + g] * part;
        }
        y[t * rows + r] = out;
    }
}

extern "C" void int4_linear(int tokens, int rows, int cols, const unsigned char* packed, const float* scale,
                            const unsigned char* zero, const float* x, float* y) {
    const int groups = cols / 64;
    if (rows >= 1 && tokens >= 1) {
        int4_linear_1_map<<<((long long)tokens * rows - 1) / 256 + 1, 256>>>(tokens, rows, cols, packed, scale, zero, x,
                                                                             y, groups);
    }
}