// Majorities: one poll a warp, whose lanes let their votes cancel, then each other's.
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

__global__ void decide(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= polls) return;
    vote += (long long)r * votes;
    Rest rest = {-1, 0};
    for (int k = lane; k < votes; k += 32) rest.add(vote[k]);
    for (int apart = 16; apart > 0; apart /= 2)
        rest.add(Rest{__shfl_xor_sync(kAll, rest.left, apart), __shfl_xor_sync(kAll, rest.surplus, apart)});
    rest.left = __shfl_sync(kAll, rest.left, 0);
    int count = 0;
    for (int k = lane; k < votes; k += 32) count += vote[k] == rest.left;
    count = __reduce_add_sync(kAll, count);
    const bool won = 2 * count > votes;
    if (lane != 0) return;
    winner[r] = won ? rest.left : -1;
    lead[r] = won ? 2 * count - votes : 0;
}

extern "C" void majority_votes(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    decide<<<(polls - 1) / 4 + 1, 128>>>(polls, votes, vote, winner, lead);
}
