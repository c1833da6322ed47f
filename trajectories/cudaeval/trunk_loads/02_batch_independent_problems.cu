// Loads of lines: one group a block, whose threads mark where calls begin and end.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A block a group; its first thread goes through the hour.
__global__ void carry(int m, int n, const uint16_t* begin, const uint16_t* seconds, int* change, uint16_t* load, int* peak, int* idle) {
    begin += (long long)blockIdx.x * m;
    seconds += (long long)blockIdx.x * m;
    load += (long long)blockIdx.x * n;
    change += (long long)blockIdx.x * (n + 1);
    for (int i = threadIdx.x; i < m; i += kThreads) {
        atomicAdd(change + begin[i], 1);
        atomicSub(change + min(n, begin[i] + seconds[i]), 1);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    int busy = 0, most = 0, quiet = 0, longest = 0;
    for (int t = 0; t < n; ++t) {
        busy += change[t];
        quiet = busy > 0 ? 0 : quiet + 1;
        most = max(most, busy);
        longest = max(longest, quiet);
        load[t] = busy;
    }
    peak[blockIdx.x] = most;
    idle[blockIdx.x] = longest;
}

extern "C" void trunk_loads(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int32_t* peak,
                            int32_t* idle) {
    int* change = nullptr;
    cudaMalloc(&change, sizeof(int) * groups * (n + 1));
    cudaMemsetAsync(change, 0, sizeof(int) * groups * (n + 1));
    carry<<<groups, kThreads>>>(m, n, begin, seconds, change, load, peak, idle);
    cudaFree(change);
}
