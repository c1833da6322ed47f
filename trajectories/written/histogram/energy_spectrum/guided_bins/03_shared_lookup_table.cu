// Energy spectrum: each block searches and counts in shared memory and adds its bins once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1056;
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
    extern __shared__ Wide own_total[];  // bins totals, bins counts, then the edges
    unsigned* own_count = (unsigned*)(own_total + bins);
    float* edge = (float*)(own_count + bins);
    for (int b = threadIdx.x; b <= bins; b += kThreads) edge[b] = edges[b];
    for (int b = threadIdx.x; b < bins; b += kThreads) {
        own_total[b] = 0;
        own_count[b] = 0;
    }
    __syncthreads();
    unsigned missed = 0;
    for (long long hit = blockIdx.x * kThreads + threadIdx.x; hit < n; hit += (long long)gridDim.x * kThreads) {
        float e = energy[hit];
        if (!(e >= edge[0] && e < edge[bins])) {
            ++missed;
            continue;
        }
        int b = bin_of(edge, bins, e);
        atomicAdd(&own_count[b], 1u);
        atomicAdd(&own_total[b], (Wide)(long long)charge[hit]);
    }
    if (missed > 0) atomicAdd(outside, missed);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += kThreads) {
        if (own_count[b] == 0) continue;
        atomicAdd(&count[b], own_count[b]);
        atomicAdd(&total[b], own_total[b]);
    }
}

extern "C" void energy_spectrum(int n, int bins, const float* edges, const float* energy, const int* charge,
                                unsigned* count, long long* total, unsigned* outside) {
    cudaMemsetAsync(count, 0, bins * sizeof(unsigned));
    cudaMemsetAsync(total, 0, bins * sizeof(Wide));
    cudaMemsetAsync(outside, 0, sizeof(unsigned));
    int needed = (n - 1) / kThreads + 1, blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
    size_t bytes = bins * (sizeof(Wide) + sizeof(unsigned)) + (bins + 1) * sizeof(float);
    fill<<<blocks, kThreads, bytes>>>(n, bins, edges, energy, charge, count, (Wide*)total, outside);
}
