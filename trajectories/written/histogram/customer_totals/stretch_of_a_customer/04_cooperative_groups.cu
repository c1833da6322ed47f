// Customer totals: the stretches are marked first, then a team of eight threads sums each.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kTeam = 8;  // threads for a customer

// start[c] = the first line whose customer is not below c, for c up to `customers`.
__global__ void mark_starts(int n, int customers, const int* customer, int* start) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i > n) return;
    int before = i > 0 ? customer[i - 1] : -1, here = i < n ? customer[i] : customers;
    for (int c = before + 1; c <= here; ++c) start[c] = i;
}

__global__ void total(int customers, const int* start, const int* quantity, const int* cents,
                      long long* spent, unsigned* lines, int* dearest) {
    auto team = cg::tiled_partition<kTeam>(cg::this_thread_block());
    int c = blockIdx.x * (kThreads / kTeam) + threadIdx.x / kTeam;
    if (c >= customers) return;  // whole teams leave
    int begin = start[c], end = start[c + 1];
    long long sum = 0;
    int largest = 0;
    for (int i = begin + team.thread_rank(); i < end; i += kTeam) {
        sum += (long long)quantity[i] * cents[i];
        largest = max(largest, cents[i]);
    }
    for (int d = kTeam / 2; d > 0; d /= 2) {
        sum += team.shfl_down(sum, d);
        largest = max(largest, team.shfl_down(largest, d));
    }
    if (team.thread_rank() != 0) return;
    spent[c] = sum;
    lines[c] = end - begin;
    dearest[c] = largest;
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned* lines, int* dearest) {
    int* start = nullptr;
    cudaMalloc(&start, (customers + 1) * sizeof(int));
    mark_starts<<<n / kThreads + 1, kThreads>>>(n, customers, customer, start);
    total<<<(customers - 1) / (kThreads / kTeam) + 1, kThreads>>>(customers, start, quantity, cents, spent, lines,
                                                                  dearest);
    cudaFree(start);
}
