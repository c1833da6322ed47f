// Shared exponents: one block of sixteen a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int field(uint32_t bits) {
    const int e = bits >> 23 & 255;
    return e == 255 ? 0 : e;
}

__device__ int packed(uint32_t bits, int top) {
    const int e = field(bits), by = 17 + top - e;
    if (e == 0 || by >= 31) return 0;
    const uint32_t whole = (bits & 0x7fffff) | 1u << 23;
    const int size = min(127, (int)((whole >> by) + (whole >> (by - 1) & 1)));
    return bits >> 31 ? -size : size;
}

__global__ void pack(int rows, int cols, int blocks, const uint32_t* bits, uint8_t* exponent, int8_t* fraction) {
    const int b = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y;
    if (b >= blocks || r >= rows) return;
    const uint32_t* from = bits + (size_t)r * cols + 16 * b;
    const int count = min(16, cols - 16 * b);
    int top = 0;
    for (int k = 0; k < count; ++k) top = max(top, field(from[k]));
    exponent[(size_t)r * blocks + b] = top;
    for (int k = 0; k < count; ++k) fraction[(size_t)r * cols + 16 * b + k] = packed(from[k], top);
}

extern "C" void shared_exponent_pack(int rows, int cols, const uint32_t* bits, uint8_t* exponent, int8_t* fraction) {
    const int blocks = (cols + 15) / 16;
    pack<<<dim3((blocks + 31) / 32, (rows + 3) / 4), dim3(32, 4)>>>(rows, cols, blocks, bits, exponent, fraction);
}
