// Majorities: four votes are loaded at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr unsigned kAll = 0xffffffffu;

// What is left when unlike votes cancel.
struct Rest {
    int left, surplus;

    __device__ void add(int vote) {
        if (surplus == 0) left = vote;
        surplus += vote == left ? 1 : -1;
    }

    __device__ void add(Rest other) {
        const bool alike = other.left == left, fewer = surplus < other.surplus;
        if (fewer) left = other.left;
        surplus = alike ? surplus + other.surplus : abs(surplus - other.surplus);
    }
};

// `kWide`: rows are multiples of 16 bytes, and so is the place at which the votes begin.
template <bool kWide>
__global__ void decide(int polls, int votes, const int32_t* __restrict__ vote, int32_t* __restrict__ winner, int32_t* __restrict__ lead) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= polls) return;
    vote += (long long)r * votes;
    Rest rest = {-1, 0};
    if (kWide) {
        for (int k = 4 * lane; k < votes; k += 128) {
            const int4 four = *(const int4*)(vote + k);
            rest.add(four.x);
            rest.add(four.y);
            rest.add(four.z);
            rest.add(four.w);
        }
    } else {
        for (int k = lane; k < votes; k += 32) rest.add(vote[k]);
    }
    for (int apart = 16; apart > 0; apart /= 2)
        rest.add(Rest{__shfl_xor_sync(kAll, rest.left, apart), __shfl_xor_sync(kAll, rest.surplus, apart)});
    rest.left = __shfl_sync(kAll, rest.left, 0);
    int count = 0;
    if (kWide) {
        for (int k = 4 * lane; k < votes; k += 128) {
            const int4 four = *(const int4*)(vote + k);
            count += (four.x == rest.left) + (four.y == rest.left) + (four.z == rest.left) + (four.w == rest.left);
        }
    } else {
        for (int k = lane; k < votes; k += 32) count += vote[k] == rest.left;
    }
    count = __reduce_add_sync(kAll, count);
    const bool won = 2 * count > votes;
    if (lane != 0) return;
    winner[r] = won ? rest.left : -1;
    lead[r] = won ? 2 * count - votes : 0;
}

extern "C" void majority_votes(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    const int grid = (polls - 1) / 4 + 1;
    if (votes % 4 == 0 && (uintptr_t)vote % 16 == 0)
        decide<true><<<grid, 128>>>(polls, votes, vote, winner, lead);
    else
        decide<false><<<grid, 128>>>(polls, votes, vote, winner, lead);
}
