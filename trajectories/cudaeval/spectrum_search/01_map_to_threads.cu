// Library search of spectra: one thread a query and entry, then one thread a query.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBins = 2048;

struct Peak {
    uint16_t bin, height;
};

struct Match {
    int32_t entry, score, runner_up;
};

// Takes another entry into account; of equal scores the lower entry is the match.
__device__ void take(Match& best, int entry, int score) {
    if (score > best.score || (score == best.score && score > 0 && entry < best.entry)) {
        best.runner_up = best.score;
        best.score = score;
        best.entry = entry;
    } else {
        best.runner_up = max(best.runner_up, score);
    }
}

__global__ void spread(int queries, int peaks, const Peak* query, int* height) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (long long)queries * peaks) atomicAdd(&height[i / peaks * kBins + query[i].bin], query[i].height);
}

__global__ void compare(int entries, int peaks, int tolerance, const int* height, const int32_t* query_mass, const Peak* library,
                        const int32_t* mass, int* score) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y;
    if (e >= entries) return;
    int sum = 0;
    if (abs(mass[e] - query_mass[q]) <= tolerance)
        for (int k = 0; k < peaks; ++k) {
            const Peak p = library[(long long)e * peaks + k];
            sum += height[(long long)q * kBins + p.bin] * p.height;
        }
    score[(long long)q * entries + e] = sum;
}

__global__ void choose(int queries, int entries, const int* score, Match* match) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    Match best = {-1, 0, 0};
    for (int e = 0; e < entries; ++e) take(best, e, score[(long long)q * entries + e]);
    match[q] = best;
}

extern "C" void spectrum_search(int queries, int entries, int peaks, int tolerance, const Peak* query, const int32_t* query_mass,
                                const Peak* library, const int32_t* mass, Match* match) {
    int *height = nullptr, *score = nullptr;
    cudaMalloc(&height, sizeof(int) * queries * kBins);
    cudaMalloc(&score, sizeof(int) * queries * entries);
    cudaMemsetAsync(height, 0, sizeof(int) * queries * kBins);
    spread<<<(unsigned)(((long long)queries * peaks - 1) / 256 + 1), 256>>>(queries, peaks, query, height);
    const dim3 grid((entries - 1) / 256 + 1, queries);
    compare<<<grid, 256>>>(entries, peaks, tolerance, height, query_mass, library, mass, score);
    choose<<<(queries - 1) / 64 + 1, 64>>>(queries, entries, score, match);
    cudaFree(score);
    cudaFree(height);
}
