// Library search of spectra: a warp a query chooses the best entry.
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

// Joins the matches of a warp's lanes; the result is in lane 0.
__device__ Match joined(Match best) {
    for (int apart = 16; apart > 0; apart /= 2) {
        const int entry = __shfl_down_sync(0xffffffffu, best.entry, apart), score = __shfl_down_sync(0xffffffffu, best.score, apart);
        const int second = __shfl_down_sync(0xffffffffu, best.runner_up, apart);
        take(best, entry, score);
        best.runner_up = max(best.runner_up, second);
    }
    return best;
}

// One warp a query.
__global__ void choose(int queries, int entries, const int* score, Match* match) {
    const int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (q >= queries) return;
    Match best = {-1, 0, 0};
    for (int e = lane; e < entries; e += 32) take(best, e, score[(long long)q * entries + e]);
    best = joined(best);
    if (lane == 0) match[q] = best;
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
    choose<<<(queries - 1) / 4 + 1, 128>>>(queries, entries, score, match);
    cudaFree(score);
    cudaFree(height);
}
