// Totals over subsets: three bits a launch, with eight numbers in a thread's registers; a third of the traffic and of the launches.
#include <cuda_runtime.h>

// Bits 3 k, 3 k + 1 and 3 k + 2 of the places in one visit: eight numbers, `bit` apart, in a thread's registers.
__global__ void add_three_bits(long long n, int shift, unsigned* total) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, bit = 1LL << shift;
    long long first = (i >> shift << (shift + 3)) | (i & (bit - 1));
    if (first >= n) return;
    unsigned value[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) value[k] = first + k * bit < n ? total[first + k * bit] : 0u;
#pragma unroll
    for (int step = 1; step < 8; step *= 2)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (k & step) value[k] += value[k - step];
#pragma unroll
    for (int k = 1; k < 8; ++k)
        if (first + k * bit < n) total[first + k * bit] = value[k];
}

extern "C" void subset_totals(int n, unsigned* total) {
    for (int shift = 0; 1LL << shift < n; shift += 3) {
        long long threads = ((((long long)n - 1) >> shift >> 3) + 1) << shift;
        add_three_bits<<<(unsigned)((threads + 255) / 256), 256>>>(n, shift, total);
    }
}
