// Parity pieces over the field of 256 elements: products by tables of powers and logarithms in shared memory.
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

// Powers of x and logarithms, made by each block. Thread e finds x^e by squaring.
__device__ void make_tables(unsigned char* power, unsigned char* logarithm) {
    int e = threadIdx.x;
    unsigned result = 1, square = 2;
    for (int rest = e; rest > 0; rest >>= 1) {
        if (rest & 1) result = product(result, square);
        square = product(square, square);
    }
    if (e < 255) {
        power[e] = power[e + 255] = (unsigned char)result;
        logarithm[result] = (unsigned char)e;
    }
    __syncthreads();
}

__global__ void encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                       unsigned char* parity) {
    __shared__ unsigned char power[510], logarithm[256];
    make_tables(power, logarithm);
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)parities * length) return;
    int p = (int)(i / length), at = (int)(i % length);
    unsigned sum = 0;
    for (int d = 0; d < pieces; ++d) {
        unsigned value = data[(long long)d * length + at], factor = coefficient[p * pieces + d];
        if (value != 0 && factor != 0) sum ^= power[logarithm[value] + logarithm[factor]];
    }
    parity[i] = (unsigned char)sum;
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    long long bytes = (long long)parities * length;
    if (bytes > 0) encode<<<(unsigned)((bytes + 255) / 256), 256>>>(pieces, parities, length, coefficient, data, parity);
}
