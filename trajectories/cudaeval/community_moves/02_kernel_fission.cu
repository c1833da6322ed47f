// Communities: those of all contacts are fetched once, and strengths of ties to oneself are cleared with them.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void fetch(int members, const int* start, const int* contact, const int* strength, const int* community, int2* tied) {
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= members) return;
    for (int k = start[v] + lane; k < start[v + 1]; k += 32) {
        const int other = contact[k];
        tied[k] = make_int2(community[other], other == v ? 0 : strength[k]);
    }
}

__global__ void choose(int members, long long all, const int* start, const int2* __restrict__ tied, const int* community, const int* degree, const int* size,
                       int* move, int64_t* gain) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= members) return;
    const int own = community[v], from = start[v], to = start[v + 1];
    long long stay = 0;
    for (int k = from; k < to; ++k)
        if (tied[k].x == own) stay += tied[k].y;
    stay = all * stay - (long long)degree[v] * (size[own] - degree[v]);
    long long best = 0;
    int where = own;
    for (int k = from; k < to; ++k) {
        const int c = tied[k].x;
        if (c == own) continue;
        long long tie = 0;
        for (int j = from; j < to; ++j)
            if (tied[j].x == c) tie += tied[j].y;
        const long long more = all * tie - (long long)degree[v] * size[c] - stay;
        if (more > best || (more == best && more > 0 && c < where)) best = more, where = c;
    }
    move[v] = where;
    gain[v] = best;
}

extern "C" void community_moves(int members, int, int, int32_t all_strength, const int32_t* start, const int32_t* contact, const int32_t* strength,
                                const int32_t* community, const int32_t* degree, const int32_t* size, int32_t* move, int64_t* gain) {
    int2* tied = nullptr;
    int ties = 0;
    cudaMemcpy(&ties, start + members, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMallocAsync(&tied, sizeof(int2) * (ties + 1), 0);
    fetch<<<(members + 3) / 4, 128>>>(members, start, contact, strength, community, tied);
    choose<<<(members + 127) / 128, 128>>>(members, all_strength, start, tied, community, degree, size, move, gain);
    cudaFreeAsync(tied, 0);
}
