// Walsh: a launch a pass, one butterfly a thread; one row a thread adds its energy up.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pass(int bits, int half, int32_t* x) {
    const int pair = blockIdx.y * blockDim.x + threadIdx.x;
    if (pair >= 1 << bits >> 1) return;
    int32_t* row = x + 1024ull * blockIdx.x + pair / half * 2 * half + pair % half;
    const int a = row[0], b = row[half];
    row[0] = a + b;
    row[half] = a - b;
}

__global__ void measure(int rows, int bits, const int32_t* x, int64_t* energy) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    long long sum = 0;
    for (int i = 0; i < 1 << bits; ++i) {
        const long long value = x[1024ull * r + i] >> bits;
        sum += value * value;
    }
    energy[r] = sum;
}

extern "C" void walsh_rows(int rows, int bits, int32_t* x, int64_t* energy) {
    for (int half = 1; half < 1 << bits; half *= 2) pass<<<dim3(rows, 2), 256>>>(bits, half, x);
    measure<<<(rows + 127) / 128, 128>>>(rows, bits, x, energy);
}
