// Parity pieces over the field of 256 elements: one thread a byte, products bit by bit.
#include <cuda_runtime.h>

__device__ unsigned product(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int bit = 0; bit < 8; ++bit) {
        if (b >> bit & 1) sum ^= a;
        a <<= 1;
        if (a & 0x100u) a ^= 0x11du;
    }
    return sum;
}

__global__ void encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                       unsigned char* parity) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)parities * length) return;
    int p = (int)(i / length), at = (int)(i % length);
    unsigned sum = 0;
    for (int d = 0; d < pieces; ++d) sum ^= product(data[(long long)d * length + at], coefficient[p * pieces + d]);
    parity[i] = (unsigned char)sum;
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    long long bytes = (long long)parities * length;
    if (bytes > 0) encode<<<(unsigned)((bytes + 255) / 256), 256>>>(pieces, parities, length, coefficient, data, parity);
}
