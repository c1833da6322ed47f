// Shared exponents: one value a lane; sixteen lanes find their greatest exponent by shuffles.
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
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows) return;
    const uint32_t own = c < cols ? bits[(size_t)r * cols + c] : 0;
    int top = field(own);
    for (int apart = 8; apart > 0; apart /= 2) top = max(top, __shfl_xor_sync(0xffffffffu, top, apart));
    if (c >= cols) return;
    if (c % 16 == 0) exponent[(size_t)r * blocks + c / 16] = top;
    fraction[(size_t)r * cols + c] = packed(own, top);
}

extern "C" void shared_exponent_pack(int rows, int cols, const uint32_t* bits, uint8_t* exponent, int8_t* fraction) {
    pack<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, (cols + 15) / 16, bits, exponent, fraction);
}
