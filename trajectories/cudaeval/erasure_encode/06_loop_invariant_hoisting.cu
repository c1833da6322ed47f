// Parity pieces over the field of 256 elements: a block spreads the coefficients' bits to masks in shared memory once, and the inner loop
// is one three-input operation with a broadcast mask.
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

constexpr int kPieces = 32;

template <int kMost>
__global__ void encode(int pieces, int parities, int length, const unsigned char* __restrict__ coefficient,
                       const unsigned char* __restrict__ data, unsigned char* __restrict__ parity) {
    __shared__ __align__(16) unsigned mask[kPieces][kMost][8];
    for (int k = threadIdx.x; k < pieces * kMost * 8; k += blockDim.x) {
        int bit = k % 8, p = k / 8 % kMost, d = k / 8 / kMost;
        mask[d][p][bit] = p < parities ? 0u - (coefficient[p * pieces + d] >> bit & 1u) : 0u;
    }
    __syncthreads();
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= length) return;
    unsigned sum[kMost] = {};
    for (int d = 0; d < pieces; ++d) {
        unsigned value[8];
        value[0] = load4(data + (long long)d * length + i, length - i);
#pragma unroll
        for (int bit = 1; bit < 8; ++bit) value[bit] = times_x(value[bit - 1]);
#pragma unroll
        for (int p = 0; p < kMost; ++p) {
            const uint4 low = *reinterpret_cast<const uint4*>(&mask[d][p][0]), high = *reinterpret_cast<const uint4*>(&mask[d][p][4]);
            sum[p] ^= (value[0] & low.x) ^ (value[1] & low.y) ^ (value[2] & low.z) ^ (value[3] & low.w);
            sum[p] ^= (value[4] & high.x) ^ (value[5] & high.y) ^ (value[6] & high.z) ^ (value[7] & high.w);
        }
    }
#pragma unroll
    for (int p = 0; p < kMost; ++p)
        if (p < parities) store4(parity + (long long)p * length + i, length - i, sum[p]);
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    if (length <= 0) return;
    const unsigned blocks = (length + 1024 - 1) / 1024;
    if (parities <= 2) encode<2><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
    else if (parities <= 4) encode<4><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
    else encode<8><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
}
