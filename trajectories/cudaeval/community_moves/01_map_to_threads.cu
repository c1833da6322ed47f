// Communities: one member a thread; each contact's community is summed over all contacts.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void choose(int members, long long all, const int* start, const int* contact, const int* strength, const int* community, const int* degree,
                       const int* size, int* move, int64_t* gain) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= members) return;
    const int own = community[v];
    long long stay = 0;
    for (int k = start[v]; k < start[v + 1]; ++k)
        if (contact[k] != v && community[contact[k]] == own) stay += strength[k];
    stay = all * stay - (long long)degree[v] * (size[own] - degree[v]);
    long long best = 0;
    int where = own;
    for (int k = start[v]; k < start[v + 1]; ++k) {
        const int c = community[contact[k]];
        if (c == own) continue;
        long long tie = 0;
        for (int j = start[v]; j < start[v + 1]; ++j)
            if (contact[j] != v && community[contact[j]] == c) tie += strength[j];
        const long long more = all * tie - (long long)degree[v] * size[c] - stay;
        if (more > best || (more == best && more > 0 && c < where)) best = more, where = c;
    }
    move[v] = where;
    gain[v] = best;
}

extern "C" void community_moves(int members, int, int, int32_t all_strength, const int32_t* start, const int32_t* contact, const int32_t* strength,
                                const int32_t* community, const int32_t* degree, const int32_t* size, int32_t* move, int64_t* gain) {
    choose<<<(members + 127) / 128, 128>>>(members, all_strength, start, contact, strength, community, degree, size, move, gain);
}
