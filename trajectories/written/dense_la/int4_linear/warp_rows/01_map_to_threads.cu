// 4-bit linear layer: a thread for each output.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                       float* y) {
    int r = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y;
    if (r >= rows) return;
    int groups = cols / 64;
    float out = 0.0f;
    for (int g = 0; g < groups; ++g) {
        int z = zero[r * groups + g];
        float part = 0.0f;
        for (int c = g * 64; c < (g + 1) * 64; c += 2) {
            int byte = packed[((size_t)r * cols + c) / 2];
            part += (float)((byte & 15) - z) * x[t * cols + c];
            part += (float)((byte >> 4) - z) * x[t * cols + c + 1];
        }
        out += scale[r * groups + g] * part;
    }
    y[t * rows + r] = out;
}

extern "C" void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                            float* y) {
    linear<<<dim3((rows + 127) / 128, tokens), 128>>>(tokens, rows, cols, packed, scale, zero, x, y);
}
