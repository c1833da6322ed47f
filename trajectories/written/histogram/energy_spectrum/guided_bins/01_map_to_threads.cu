// Energy spectrum: a thread for each hit, global atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
using Wide = unsigned long long;

// The last bin whose lower edge is not above e, which lies inside the edges.
__device__ int bin_of(const float* edges, int bins, float e) {
    int low = 0, high = bins;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (edges[middle] <= e) low = middle;
        else high = middle;
    }
    return low;
}

__global__ void fill(int n, int bins, const float* edges, const float* energy, const int* charge, unsigned* count,
                     Wide* total, unsigned* outside) {
    int hit = blockIdx.x * kThreads + threadIdx.x;
    if (hit >= n) return;
    float e = energy[hit];
    if (!(e >= edges[0] && e < edges[bins])) {
        atomicAdd(outside, 1u);
        return;
    }
    int b = bin_of(edges, bins, e);
    atomicAdd(&count[b], 1u);
    atomicAdd(&total[b], (Wide)(long long)charge[hit]);
}

extern "C" void energy_spectrum(int n, int bins, const float* edges, const float* energy, const int* charge,
                                unsigned* count, long long* total, unsigned* outside) {
    cudaMemsetAsync(count, 0, bins * sizeof(unsigned));
    cudaMemsetAsync(total, 0, bins * sizeof(Wide));
    cudaMemsetAsync(outside, 0, sizeof(unsigned));
    fill<<<(n - 1) / kThreads + 1, kThreads>>>(n, bins, edges, energy, charge, count, (Wide*)total, outside);
}
