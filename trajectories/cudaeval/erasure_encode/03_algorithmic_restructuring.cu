// Parity pieces over the field of 256 elements: no tables. A data byte is multiplied by x seven times; what bit b of a coefficient adds is
// the b-th of these. A coefficient is the same for the whole block, so its bits become masks and no lane looks anything up.
#include <cuda_runtime.h>

__device__ unsigned times_x(unsigned a) { return (a << 1 & 0xffu) ^ ((a >> 7) * 0x1du); }

__global__ void encode(int pieces, int length, const unsigned char* __restrict__ coefficient, const unsigned char* __restrict__ data,
                       unsigned char* __restrict__ parity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y;
    if (i >= length) return;
    unsigned sum = 0;
    for (int d = 0; d < pieces; ++d) {
        unsigned value = data[(long long)d * length + i], factor = coefficient[p * pieces + d];
#pragma unroll
        for (int bit = 0; bit < 8; ++bit) {
            sum ^= value & (0u - (factor >> bit & 1u));
            value = times_x(value);
        }
    }
    parity[(long long)p * length + i] = (unsigned char)sum;
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    if (length > 0 && parities > 0)
        encode<<<dim3((length + 255) / 256, parities), 256>>>(pieces, length, coefficient, data, parity);
}
