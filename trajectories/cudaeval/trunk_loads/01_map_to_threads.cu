// Loads of lines: one group a thread.
#include <cuda_runtime.h>

#include <cstdint>

// `change` has n + 1 words a group, all 0: how many more calls are in progress than a second before.
__global__ void carry(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, int* change, uint16_t* load, int* peak,
                      int* idle) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    change += (long long)g * (n + 1);
    for (long long i = (long long)g * m; i < (long long)(g + 1) * m; ++i) {
        ++change[begin[i]];
        --change[min(n, begin[i] + seconds[i])];
    }
    int busy = 0, most = 0, quiet = 0, longest = 0;
    for (int t = 0; t < n; ++t) {
        busy += change[t];
        quiet = busy > 0 ? 0 : quiet + 1;
        most = max(most, busy);
        longest = max(longest, quiet);
        load[(long long)g * n + t] = busy;
    }
    peak[g] = most;
    idle[g] = longest;
}

extern "C" void trunk_loads(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int32_t* peak,
                            int32_t* idle) {
    int* change = nullptr;
    cudaMalloc(&change, sizeof(int) * groups * (n + 1));
    cudaMemsetAsync(change, 0, sizeof(int) * groups * (n + 1));
    carry<<<(groups - 1) / 32 + 1, 32>>>(groups, m, n, begin, seconds, change, load, peak, idle);
    cudaFree(change);
}
