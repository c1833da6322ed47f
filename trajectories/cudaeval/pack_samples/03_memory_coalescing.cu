// Packing: 128 threads' 640 bytes are put together in shared memory and leave it side by side.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pack(int n, const ushort4* __restrict__ samples, uint8_t* __restrict__ packed, int* __restrict__ clipped, uint8_t* __restrict__ check) {
    __shared__ int counts[4], sums[4];
    __shared__ uint8_t tile[640];
    const int groups = n / 4;
    const ushort4* in = samples + (size_t)blockIdx.x * groups;
    uint8_t* row = packed + (size_t)blockIdx.x * 5 * groups;
    int count = 0, sum = 0;
    for (int from = 0; from < groups; from += 128) {
        const int g = from + threadIdx.x;
        if (g < groups) {
            const ushort4 own = in[g];
            const int raw[4] = {own.x, own.y, own.z, own.w};
            int low = 0;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const int kept = min(max(raw[k], 4), 1019);
                count += kept != raw[k];
                tile[5 * threadIdx.x + k] = kept >> 2;
                sum ^= kept >> 2;
                low |= (kept & 3) << 2 * k;
            }
            tile[5 * threadIdx.x + 4] = low;
            sum ^= low;
        }
        __syncthreads();
        const int bytes = 5 * min(128, groups - from);
        for (int i = threadIdx.x; i < bytes; i += 128) row[5 * from + i] = tile[i];
        __syncthreads();
    }
    count = __reduce_add_sync(0xffffffffu, count);
    sum = __reduce_xor_sync(0xffffffffu, (unsigned)sum);
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = count, sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    clipped[blockIdx.x] = counts[0] + counts[1] + counts[2] + counts[3];
    check[blockIdx.x] = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

extern "C" void pack_samples(int rows, int n, const uint16_t* samples, uint8_t* packed, int32_t* clipped, uint8_t* check) {
    pack<<<rows, 128>>>(n, reinterpret_cast<const ushort4*>(samples), packed, clipped, check);
}
