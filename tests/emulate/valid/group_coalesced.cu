// arrays: x in int32 N; out out int32 2
// N: 1000
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// The lanes that take a branch count together: one atomic operation for all of them.
__device__ int counted(int* counter) {
    auto active = cg::coalesced_threads();
    int before = 0;
    if (active.thread_rank() == 0) before = atomicAdd(counter, active.size());
    return active.shfl(before, 0) + active.thread_rank();
}
__global__ void count(const int* x, int* slots, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) slots[counted(&out[0])] = x[i];
}
__global__ void add(const int* slots, int* out) {
    for (int i = threadIdx.x; i < out[0]; i += blockDim.x) atomicAdd(&out[1], slots[i]);
}
extern "C" void run(int n, const int* x, int* out) {
    int* slots;
    cudaMalloc(&slots, n * sizeof(int));
    cudaMemset(out, 0, 2 * sizeof(int));
    count<<<(n + 255) / 256, 256>>>(x, slots, out, n);
    add<<<1, 64>>>(slots, out);
    cudaFree(slots);
}
