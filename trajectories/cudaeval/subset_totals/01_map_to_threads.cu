// Totals over subsets: a launch for each bit, one thread a number that has it.
#include <cuda_runtime.h>

__global__ void add_bit(long long n, long long bit, unsigned* total) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long s = i / bit * 2 * bit + bit + i % bit;
    if (s < n) total[s] += total[s - bit];
}

extern "C" void subset_totals(int n, unsigned* total) {
    for (long long bit = 1; bit < n; bit *= 2) add_bit<<<(unsigned)((n / 2 + bit + 255) / 256), 256>>>(n, bit, total);
}
