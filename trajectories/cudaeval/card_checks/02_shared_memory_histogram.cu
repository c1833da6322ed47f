// Card numbers: a block counts those that pass in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void check(int cards, const uint8_t* numbers, const uint8_t* length, uint8_t* valid, int* by_first) {
    __shared__ int counts[10];
    if (threadIdx.x < 10) counts[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cards) {
        const uint8_t* digits = numbers + 19ll * i;
        const int count = length[i];
        int sum = 0;
        for (int k = 1; k <= count; ++k) {
            int d = digits[count - k];
            if (k % 2 == 0) d = 2 * d > 9 ? 2 * d - 9 : 2 * d;
            sum += d;
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
