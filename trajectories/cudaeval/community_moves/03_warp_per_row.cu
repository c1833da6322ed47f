// Communities: a warp takes a member, its lanes the contacts as candidates; the best of them by shuffles, no array of its own.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void choose(int members, long long all, const int* __restrict__ start, const int* __restrict__ contact, const int* __restrict__ strength,
                       const int* __restrict__ community, const int* __restrict__ degree, const int* __restrict__ size, int* move, int64_t* gain) {
    const int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= members) return;
    const int own = community[v], from = start[v], to = start[v + 1];
    long long stay = 0, best = 0;
    for (int k = from + lane; k < to; k += 32)
        if (contact[k] != v && community[contact[k]] == own) stay += strength[k];
    for (int apart = 16; apart > 0; apart /= 2) stay += __shfl_xor_sync(0xffffffffu, stay, apart);
    stay = all * stay - (long long)degree[v] * (size[own] - degree[v]);
    int where = own;
    for (int part = from; part < to; part += 32) {
        const int k = part + lane, c = k < to ? community[contact[k]] : own;
        long long tie = 0;
        for (int part2 = from; part2 < to; part2 += 32) {
            const int j = part2 + lane, other = j < to ? contact[j] : v;
            const int theirs = j < to ? community[other] : -1, much = j < to && other != v ? strength[j] : 0;
            for (int l = 0; l < min(32, to - part2); ++l) {
                const int at = __shfl_sync(0xffffffffu, theirs, l), by = __shfl_sync(0xffffffffu, much, l);
                if (at == c) tie += by;
            }
        }
        if (c == own) continue;
        const long long more = all * tie - (long long)degree[v] * size[c] - stay;
        if (more > best || (more == best && more > 0 && c < where)) best = more, where = c;
    }
    __syncwarp();
    for (int apart = 16; apart > 0; apart /= 2) {
        const long long other = __shfl_xor_sync(0xffffffffu, best, apart);
        const int there = __shfl_xor_sync(0xffffffffu, where, apart);
        if (other > best || (other == best && other > 0 && there < where)) best = other, where = there;
    }
    if (lane == 0) {
        move[v] = where;
        gain[v] = best;
    }
}

extern "C" void community_moves(int members, int, int, int32_t all_strength, const int32_t* start, const int32_t* contact, const int32_t* strength,
                                const int32_t* community, const int32_t* degree, const int32_t* size, int32_t* move, int64_t* gain) {
    choose<<<(members + 3) / 4, 128>>>(members, all_strength, start, contact, strength, community, degree, size, move, gain);
}
