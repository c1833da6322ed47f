// Parity pieces over the field of 256 elements: four bytes a thread, in one word for loads, stores and all the arithmetic.
#include <cuda_runtime.h>

// Four elements at once: the bits that leave a byte come back as the polynomial's rest.
__device__ unsigned times_x(unsigned a) { return (a << 1 & 0xfefefefeu) ^ ((a >> 7 & 0x01010101u) * 0x1du); }

__device__ unsigned load4(const unsigned char* from, int count) {
    if (count >= 4 && (size_t)from % 4 == 0) return *reinterpret_cast<const unsigned*>(from);
    unsigned word = 0;
    for (int k = 0; k < min(count, 4); ++k) word |= (unsigned)from[k] << 8 * k;
    return word;
}

__device__ void store4(unsigned char* to, int count, unsigned word) {
    if (count >= 4 && (size_t)to % 4 == 0) {
        *reinterpret_cast<unsigned*>(to) = word;
    } else {
        for (int k = 0; k < min(count, 4); ++k) to[k] = (unsigned char)(word >> 8 * k);
    }
}

__global__ void encode(int pieces, int length, const unsigned char* __restrict__ coefficient, const unsigned char* __restrict__ data,
                       unsigned char* __restrict__ parity) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x), p = blockIdx.y;
    if (i >= length) return;
    unsigned sum = 0;
    for (int d = 0; d < pieces; ++d) {
        unsigned value = load4(data + (long long)d * length + i, length - i), factor = coefficient[p * pieces + d];
#pragma unroll
        for (int bit = 0; bit < 8; ++bit) {
            sum ^= value & (0u - (factor >> bit & 1u));
            value = times_x(value);
        }
    }
    store4(parity + (long long)p * length + i, length - i, sum);
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    if (length > 0 && parities > 0)
        encode<<<dim3((length + 1023) / 1024, parities), 256>>>(pieces, length, coefficient, data, parity);
}
