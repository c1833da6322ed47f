// Card numbers: a block brings its rows in as words; rows of 19 bytes lie in different banks.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void check(int cards, const uint8_t* __restrict__ numbers, const uint8_t* __restrict__ length, uint8_t* __restrict__ valid, int* by_first) {
    __shared__ uint32_t rows[256 * 19 / 4];
    __shared__ int counts[10];
    const int first = blockIdx.x * 256, i = first + threadIdx.x, bytes = 19 * min(256, cards - first);
    if (threadIdx.x < 10) counts[threadIdx.x] = 0;
    uint8_t* own = reinterpret_cast<uint8_t*>(rows);
    const uint8_t* from = numbers + 19ll * first;
    for (int w = threadIdx.x; w < bytes / 4; w += 256) rows[w] = reinterpret_cast<const uint32_t*>(from)[w];
    if (threadIdx.x < bytes % 4) own[bytes / 4 * 4 + threadIdx.x] = from[bytes / 4 * 4 + threadIdx.x];
    __syncthreads();
    if (i < cards) {
        const uint8_t* digits = own + 19 * threadIdx.x;
        const int count = length[i];
        int sum = 0;
        for (int k = 1; k <= count; ++k) {
            const int d = digits[count - k], two = 2 * d > 9 ? 2 * d - 9 : 2 * d;
            sum += k % 2 ? d : two;
        }
        valid[i] = sum % 10 == 0;
        if (sum % 10 == 0) atomicAdd(&counts[digits[0]], 1);
    }
    __syncthreads();
    if (threadIdx.x < 10 && counts[threadIdx.x]) atomicAdd(&by_first[threadIdx.x], counts[threadIdx.x]);
}

extern "C" void card_checks(int cards, const uint8_t* numbers, const uint8_t* length, uint8_t* valid, int32_t* by_first) {
    cudaMemsetAsync(by_first, 0, 10 * sizeof(int32_t));
    check<<<(cards + 255) / 256, 256>>>(cards, numbers, length, valid, by_first);
}
