// Epidemics: blocks of 1024 threads, as there are few runs and many persons.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 1024, kMost = 4096;

constexpr int kNever = 65535, kSick = 5;

__device__ uint32_t draw(uint32_t a, uint32_t b) {
    uint32_t h = a ^ (b * 0x9e3779b9u + 0x7f4a7c15u);
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

struct Contacts {
    uint16_t with[4];
};

// The four contacts of a person, in one load where they lie at a multiple of eight bytes.
template <bool kWide>
__device__ Contacts contacts_of(int v, const uint16_t* contact) {
    if constexpr (kWide) {
        const ushort4 four = ((const ushort4*)contact)[v];
        return {{four.x, four.y, four.z, four.w}};
    } else {
        return {{contact[4 * v], contact[4 * v + 1], contact[4 * v + 2], contact[4 * v + 3]}};
    }
}

// A block a run, until nobody passes it on any more; who caught it when is in shared memory.
template <bool kWide>
__global__ void spread(int n, int days, uint32_t chance, const uint16_t* contact, const uint32_t* seed, uint16_t* day,
                       int* cases) {
    __shared__ int caught[kMost];
    const uint32_t run = seed[blockIdx.x];
    day += (long long)blockIdx.x * n;
    cases += (long long)blockIdx.x * days;
    for (int d = threadIdx.x; d < days; d += kThreads) cases[d] = 0;
    __syncthreads();
    for (int v = threadIdx.x; v < n; v += kThreads) {
        const bool first = draw(run, v) < 1u << 26;
        caught[v] = first ? 0 : kNever;
        if (first) atomicAdd(cases, 1);
    }
    __syncthreads();
    bool going_on = true;
    for (int d = 1; d < days && going_on; ++d) {
        bool sick = false;
        for (int v = threadIdx.x; v < n; v += kThreads) {
            const int mine = atomicAdd(caught + v, 0);
            if (mine >= d || mine + kSick < d) continue;
            sick = true;
            const Contacts all = contacts_of<kWide>(v, contact);
            for (int k = 0; k < 4; ++k) {
                if (draw(run + d * 40503u, 4 * v + k) >= chance) continue;
                if (atomicMin(caught + all.with[k], d) == kNever) atomicAdd(cases + d, 1);
            }
        }
        going_on = __syncthreads_or(sick);
    }
    for (int v = threadIdx.x; v < n; v += kThreads) day[v] = caught[v];
}

extern "C" void contagion_days(int n, int runs, int days, uint32_t chance, const uint16_t* contact, const uint32_t* seed, uint16_t* day,
                               int32_t* cases) {
    ((uintptr_t)contact % 8 == 0 ? spread<true> : spread<false>)<<<runs, kThreads>>>(n, days, chance, contact, seed, day, cases);
}
