// Energy spectrum: each block searches and counts in shared memory and adds its bins once.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMaxBlocks = 1056;
constexpr int kCells = 1024;
using Wide = unsigned long long;

// The guide's cell of an energy: any monotone function would do, as long as edges and hits use the same.
__device__ int cell_of(float e, float first, float scale) {
    return (int)fminf(fmaxf((e - first) * scale, 0.0f), kCells - 1.0f);
}

// The last of `length` bins from `low` on whose lower edge is not above e.
__device__ int bin_of(const float* edges, int low, int length, float e) {
    while (length > 1) {
        int half = length / 2;
        low += edges[low + half] <= e ? half : 0;
        length -= half;
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
    __shared__ int guide[kCells + 1];
    __syncthreads();
    float first = edge[0], width = edge[bins] - edge[0];
    float scale = width > 0.0f ? kCells / width : 0.0f;
    for (int c = threadIdx.x; c <= kCells; c += kThreads) {  // the number of edges in cells before c
        int low = 0, high = bins + 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (cell_of(edge[middle], first, scale) < c) low = middle + 1;
            else high = middle;
        }
        guide[c] = low;
    }
    __syncthreads();
    unsigned missed = 0;
    for (long long hit = blockIdx.x * kThreads + threadIdx.x; hit < n; hit += (long long)gridDim.x * kThreads) {
        float e = energy[hit];
        int cell = cell_of(e, first, scale);
        bool inside = e >= edge[0] && e < edge[bins];
        missed += inside ? 0 : 1;
        // guide[c] edges lie in cells before c: the bin is at least guide[c] - 1 and below guide[c + 1].
        int low = max(guide[cell] - 1, 0);
        int b = bin_of(edge, low, min(guide[cell + 1], bins) - low, e);
        if (inside) {
            atomicAdd(&own_count[b], 1u);
            atomicAdd(&own_total[b], (Wide)(long long)charge[hit]);
        }
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
