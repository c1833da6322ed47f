// Customer totals: a thread sums runs of equal customers among 16 lines, then three atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kLines = 16;  // consecutive lines of a thread
using Wide = unsigned long long;

struct Totals {
    Wide* spent;
    unsigned* lines;
    int* dearest;

    __device__ void add(int customer, long long sum, unsigned count, int largest) const {
        atomicAdd(&spent[customer], (Wide)sum);
        atomicAdd(&lines[customer], count);
        atomicMax(&dearest[customer], largest);
    }
};

__global__ void total(int n, const int* customer, const int* quantity, const int* cents, Totals totals) {
    long long first = (blockIdx.x * (long long)kThreads + threadIdx.x) * kLines;
    if (first >= n) return;
    long long end = min(first + kLines, (long long)n), sum = 0;
    int current = customer[first], largest = 0;
    unsigned count = 0;
    for (long long i = first; i < end; ++i) {
        if (customer[i] != current) {
            totals.add(current, sum, count, largest);
            current = customer[i];
            sum = 0, count = 0, largest = 0;
        }
        sum += (long long)quantity[i] * cents[i];
        count += 1;
        largest = max(largest, cents[i]);
    }
    totals.add(current, sum, count, largest);
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned* lines, int* dearest) {
    cudaMemsetAsync(spent, 0, customers * sizeof(Wide));
    cudaMemsetAsync(lines, 0, customers * sizeof(unsigned));
    cudaMemsetAsync(dearest, 0, customers * sizeof(int));
    total<<<(n - 1) / (kThreads * kLines) + 1, kThreads>>>(n, customer, quantity, cents,
                                                           Totals{(Wide*)spent, lines, dearest});
}
