// Walsh: a block keeps a row in shared memory through all passes and adds its energy up by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void transform(int bits, int32_t* x, int64_t* energy) {
    __shared__ int row[1024];
    __shared__ long long part[8];
    const int n = 1 << bits;
    int32_t* own = x + 1024ull * blockIdx.x;
    for (int i = threadIdx.x; i < n; i += 256) row[i] = own[i];
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        for (int pair = threadIdx.x; pair < n / 2; pair += 256) {
            const int at = pair / half * 2 * half + pair % half, a = row[at], b = row[at + half];
            row[at] = a + b;
            row[at + half] = a - b;
        }
        __syncthreads();
    }
    long long sum = 0;
    for (int i = threadIdx.x; i < n; i += 256) {
        own[i] = row[i];
        const long long value = row[i] >> bits;
        sum += value * value;
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    energy[blockIdx.x] = sum;
}

extern "C" void walsh_rows(int rows, int bits, int32_t* x, int64_t* energy) { transform<<<rows, 256>>>(bits, x, energy); }
