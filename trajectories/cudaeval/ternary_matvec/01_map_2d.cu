// Ternary layer: one output a thread, weight by weight.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    const int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
    if (o >= outputs) return;
    int sum = 0;
    for (int i = 0; i < 16 * words; ++i) {
        const unsigned code = w[(size_t)o * words + i / 16] >> (i % 16 * 2) & 3;
        sum += (code == 1 ? 1 : code == 2 ? -1 : 0) * x[(size_t)b * 16 * words + i];
    }
    y[(size_t)b * outputs + o] = (sum * scale[o]) >> 8;
}

extern "C" void ternary_matvec(int batch, int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    multiply<<<dim3((outputs + 127) / 128, batch), 128>>>(words, outputs, x, w, scale, y);
}
