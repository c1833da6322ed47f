// Ternary layer: a warp has an output; its lanes take words side by side.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    const int o = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, b = blockIdx.y;
    if (o >= outputs) return;
    int sum = 0;
    for (int k = lane; k < words; k += 32) {
        const unsigned word = w[(size_t)o * words + k];
        const int8_t* in = x + ((size_t)b * words + k) * 16;
        for (int i = 0; i < 16; ++i) {
            const unsigned code = word >> 2 * i & 3;
            sum += (code == 1 ? 1 : code == 2 ? -1 : 0) * in[i];
        }
    }
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) y[(size_t)b * outputs + o] = (sum * scale[o]) >> 8;
}

extern "C" void ternary_matvec(int batch, int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    multiply<<<dim3((outputs + 3) / 4, batch), 128>>>(words, outputs, x, w, scale, y);
}
