// Ternary layer: eight bits of weights become four bytes by a few operations, and four products are one dp4a.
#include <cuda_runtime.h>

#include <cstdint>

// Four codes of two bits as four bytes of -1, 0 and 1.
__device__ unsigned four_weights(unsigned codes) {
    const unsigned apart = (codes & 3) | (codes & 12) << 6 | (codes & 48) << 12 | (codes & 192) << 18;
    const unsigned low = apart & 0x01010101u, high = apart >> 1 & 0x01010101u, plus = low & ~high, minus = high & ~low;
    return plus | minus * 255u;
}

__global__ void multiply(int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    const int o = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, b = blockIdx.y;
    if (o >= outputs) return;
    int sum = 0;
    for (int k = lane; k < words; k += 32) {
        const unsigned word = w[(size_t)o * words + k];
        const int8_t* in = x + ((size_t)b * words + k) * 16;
        const int4 four = *reinterpret_cast<const int4*>(in);
        const int part[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) sum = __dp4a((int)four_weights(word >> 8 * i & 255), part[i], sum);
    }
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) y[(size_t)b * outputs + o] = (sum * scale[o]) >> 8;
}

extern "C" void ternary_matvec(int batch, int words, int outputs, const int8_t* x, const uint32_t* w, const int32_t* scale, int32_t* y) {
    multiply<<<dim3((outputs + 3) / 4, batch), 128>>>(words, outputs, x, w, scale, y);
}
