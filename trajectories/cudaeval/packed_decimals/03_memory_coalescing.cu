// Packed decimals: a block's fields are put together in shared memory and leave it in order.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pack(int n, int width, const int64_t* __restrict__ amounts, uint8_t* __restrict__ packed, uint8_t* __restrict__ too_long) {
    __shared__ uint8_t fields[128 * 10];
    const int first = blockIdx.x * 128, i = first + threadIdx.x;
    if (i < n) {
        const long long amount = amounts[i];
        unsigned long long rest = amount < 0 ? 0 - (unsigned long long)amount : amount;
        unsigned part = 0;
        int left = 0, nibble = amount < 0 ? 13 : 12;
        for (int b = width - 1; b >= 0; --b) {
            if (left == 0) {
                const unsigned long long above = rest / 100000000ull;
                part = (unsigned)(rest - above * 100000000ull);
                rest = above;
                left = 8;
            }
            const unsigned tens = part / 10, hundreds = tens / 10;
            fields[threadIdx.x * width + b] = (part - 10 * tens) << 4 | nibble;
            nibble = tens - 10 * hundreds;
            part = b > 0 ? hundreds : tens;
            left -= 2;
        }
        too_long[i] = rest != 0 || part != 0;
    }
    __syncthreads();
    const int bytes = width * min(128, n - first);
    for (int b = threadIdx.x; b < bytes; b += 128) packed[(long long)first * width + b] = fields[b];
}

extern "C" void packed_decimals(int n, int width, const int64_t* amounts, uint8_t* packed, uint8_t* too_long) {
    pack<<<(n + 127) / 128, 128>>>(n, width, amounts, packed, too_long);
}
