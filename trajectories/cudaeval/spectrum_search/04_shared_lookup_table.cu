// Library search of spectra: the query's spectrum is spread out in shared memory.
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

constexpr int kThreads = 128, kWarps = kThreads / 32;

// The first entry that is at least as heavy.
__device__ int first_from(int entries, const int32_t* mass, int least) {
    int low = 0, high = entries;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (mass[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Joins the matches of all threads and writes the result.
__device__ void finish(Match best, Match* match) {
    __shared__ Match part[kWarps];
    best = joined(best);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < kWarps; ++w) {
        take(best, part[w].entry, part[w].score);
        best.runner_up = max(best.runner_up, part[w].runner_up);
    }
    match[blockIdx.x] = best;
}

// A block has a query and looks only at entries whose mass fits; these lie together. Its spectrum is in shared memory.
__global__ void search(int entries, int peaks, int tolerance, const Peak* query, const int32_t* query_mass, const Peak* library,
                       const int32_t* mass, Match* match) {
    __shared__ int height[kBins];
    const int q = blockIdx.x, most = query_mass[q] + tolerance;
    for (int b = threadIdx.x; b < kBins; b += kThreads) height[b] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < peaks; k += kThreads) {
        const Peak p = query[(long long)q * peaks + k];
        atomicAdd(&height[p.bin], p.height);
    }
    __syncthreads();
    Match best = {-1, 0, 0};
    for (int e = first_from(entries, mass, most - 2 * tolerance) + threadIdx.x; e < entries && mass[e] <= most; e += kThreads) {
        int sum = 0;
        for (int k = 0; k < peaks; ++k) {
            const Peak p = library[(long long)e * peaks + k];
            sum += height[p.bin] * p.height;
        }
        take(best, e, sum);
    }
    finish(best, match);
}

extern "C" void spectrum_search(int queries, int entries, int peaks, int tolerance, const Peak* query, const int32_t* query_mass,
                                const Peak* library, const int32_t* mass, Match* match) {
    search<<<queries, kThreads>>>(entries, peaks, tolerance, query, query_mass, library, mass, match);
}
