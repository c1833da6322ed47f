// Shared exponents: four values a lane where rows allow it, four lanes a block; else one by one.
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

__global__ void pack(int rows, int cols, int blocks, const uint32_t* __restrict__ bits, uint8_t* __restrict__ exponent, int8_t* __restrict__ fraction) {
    const int c = 4 * (blockIdx.x * 32 + threadIdx.x), r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows) return;
    const uint32_t* from = bits + (size_t)r * cols + c;
    const bool whole = cols % 4 == 0;
    uint4 own = make_uint4(0, 0, 0, 0);
    if (whole && c < cols) {
        own = *reinterpret_cast<const uint4*>(from);
    } else {
        if (c < cols) own.x = from[0];
        if (c + 1 < cols) own.y = from[1];
        if (c + 2 < cols) own.z = from[2];
        if (c + 3 < cols) own.w = from[3];
    }
    int top = max(max(field(own.x), field(own.y)), max(field(own.z), field(own.w)));
    top = max(top, __shfl_xor_sync(0xffffffffu, top, 1));
    top = max(top, __shfl_xor_sync(0xffffffffu, top, 2));
    if (c >= cols) return;
    if (c % 16 == 0) exponent[(size_t)r * blocks + c / 16] = top;
    const uint32_t word = (packed(own.x, top) & 255) | (packed(own.y, top) & 255) << 8 | (packed(own.z, top) & 255) << 16 | (uint32_t)packed(own.w, top) << 24;
    int8_t* to = fraction + (size_t)r * cols + c;
    if (whole) {
        *reinterpret_cast<uint32_t*>(to) = word;
    } else {
        for (int k = 0; k < 4 && c + k < cols; ++k) to[k] = word >> 8 * k;
    }
}

extern "C" void shared_exponent_pack(int rows, int cols, const uint32_t* bits, uint8_t* exponent, int8_t* fraction) {
    pack<<<dim3((cols + 127) / 128, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, (cols + 15) / 16, bits, exponent, fraction);
}
