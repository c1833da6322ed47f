// Parity pieces over the field of 256 elements: 16 bytes a thread, so that a mask read from shared memory serves 16 bytes, and
// loads and stores have 16 bytes where addresses allow.
#include <cuda_runtime.h>

constexpr int kPieces = 32;

// Four elements at once: the bits that leave a byte come back as the polynomial's rest.
__device__ unsigned times_x(unsigned a) { return (a << 1 & 0xfefefefeu) ^ ((a >> 7 & 0x01010101u) * 0x1du); }

__device__ uint4 load16(const unsigned char* from, int count) {
    if (count >= 16 && (size_t)from % 16 == 0) return *reinterpret_cast<const uint4*>(from);
    unsigned word[4] = {};
#pragma unroll
    for (int k = 0; k < 16; ++k)
        if (k < count) word[k / 4] |= (unsigned)from[k] << 8 * (k % 4);
    return make_uint4(word[0], word[1], word[2], word[3]);
}

__device__ void store16(unsigned char* to, int count, uint4 value) {
    if (count >= 16 && (size_t)to % 16 == 0) {
        *reinterpret_cast<uint4*>(to) = value;
        return;
    }
    const unsigned word[4] = {value.x, value.y, value.z, value.w};
#pragma unroll
    for (int k = 0; k < 16; ++k)
        if (k < count) to[k] = (unsigned char)(word[k / 4] >> 8 * (k % 4));
}

template <int kMost>
__global__ void encode(int pieces, int parities, int length, const unsigned char* __restrict__ coefficient,
                       const unsigned char* __restrict__ data, unsigned char* __restrict__ parity) {
    __shared__ unsigned mask[kPieces][8][kMost];
    for (int k = threadIdx.x; k < pieces * kMost * 8; k += blockDim.x) {
        int p = k % kMost, bit = k / kMost % 8, d = k / 8 / kMost;
        mask[d][bit][p] = p < parities ? 0u - (coefficient[p * pieces + d] >> bit & 1u) : 0u;
    }
    __syncthreads();
    int i = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= length) return;
    uint4 sum[kMost] = {};
    for (int d = 0; d < pieces; ++d) {
        uint4 value = load16(data + (long long)d * length + i, length - i);
#pragma unroll
        for (int bit = 0; bit < 8; ++bit) {
#pragma unroll
            for (int p = 0; p < kMost; ++p) {
                unsigned m = mask[d][bit][p];
                sum[p].x ^= value.x & m;
                sum[p].y ^= value.y & m;
                sum[p].z ^= value.z & m;
                sum[p].w ^= value.w & m;
            }
            value = make_uint4(times_x(value.x), times_x(value.y), times_x(value.z), times_x(value.w));
        }
    }
#pragma unroll
    for (int p = 0; p < kMost; ++p)
        if (p < parities) store16(parity + (long long)p * length + i, length - i, sum[p]);
}

extern "C" void erasure_encode(int pieces, int parities, int length, const unsigned char* coefficient, const unsigned char* data,
                               unsigned char* parity) {
    if (length <= 0) return;
    const unsigned blocks = (length + 4096 - 1) / 4096;
    if (parities <= 2) encode<2><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
    else if (parities <= 4) encode<4><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
    else encode<8><<<blocks, 256>>>(pieces, parities, length, coefficient, data, parity);
}
