// Customer totals: a thread for each order line, three atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
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
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) totals.add(customer[i], (long long)quantity[i] * cents[i], 1u, cents[i]);
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned* lines, int* dearest) {
    cudaMemsetAsync(spent, 0, customers * sizeof(Wide));
    cudaMemsetAsync(lines, 0, customers * sizeof(unsigned));
    cudaMemsetAsync(dearest, 0, customers * sizeof(int));
    total<<<(n - 1) / kThreads + 1, kThreads>>>(n, customer, quantity, cents, Totals{(Wide*)spent, lines, dearest});
}
