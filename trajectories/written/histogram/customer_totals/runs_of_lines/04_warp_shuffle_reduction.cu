// Customer totals: a thread sums runs of equal customers among 16 lines, a warp joins what is left open.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLines = 16;  // consecutive lines of a thread
constexpr int kPitch = kLines + 1;
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
    __shared__ int who[kThreads][kPitch], many[kThreads][kPitch], price[kThreads][kPitch];
    long long block = blockIdx.x * (long long)kThreads * kLines;
    int count_here = (int)min((long long)kThreads * kLines, n - block);
    for (int t = threadIdx.x; t < count_here; t += kThreads) {
        who[t / kLines][t % kLines] = customer[block + t];
        many[t / kLines][t % kLines] = quantity[block + t];
        price[t / kLines][t % kLines] = cents[block + t];
    }
    __syncthreads();
    int own = min(kLines, count_here - (int)threadIdx.x * kLines);
    const int *customers = who[threadIdx.x], *quantities = many[threadIdx.x], *prices = price[threadIdx.x];
    long long sum = 0;
    int current = own > 0 ? customers[0] : -1, largest = 0;
    unsigned count = 0;
    for (int i = 0; i < own; ++i) {
        if (customers[i] != current) {
            totals.add(current, sum, count, largest);
            current = customers[i];
            sum = 0, count = 0, largest = 0;
        }
        sum += (long long)quantities[i] * prices[i];
        count += 1;
        largest = max(largest, prices[i]);
    }
    // Open runs of the same customer are neighbours, since the lines are sorted. A lane whose own lines began with
    // another customer has closed that run already, so what it carries belongs to `current` alone.
    int lane = threadIdx.x % 32;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, current, d);
        long long other_sum = __shfl_up_sync(0xffffffffu, sum, d);
        unsigned other_count = __shfl_up_sync(0xffffffffu, count, d);
        int other_largest = __shfl_up_sync(0xffffffffu, largest, d);
        if (lane >= d && other == current) {
            sum += other_sum;
            count += other_count;
            largest = max(largest, other_largest);
        }
    }
    int next = __shfl_down_sync(0xffffffffu, current, 1);
    if (current >= 0 && (lane == 31 || next != current)) totals.add(current, sum, count, largest);
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned* lines, int* dearest) {
    cudaMemsetAsync(spent, 0, customers * sizeof(Wide));
    cudaMemsetAsync(lines, 0, customers * sizeof(unsigned));
    cudaMemsetAsync(dearest, 0, customers * sizeof(int));
    total<<<(n - 1) / (kThreads * kLines) + 1, kThreads>>>(n, customer, quantity, cents,
                                                           Totals{(Wide*)spent, lines, dearest});
}
