// Majorities: one poll a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void decide(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= polls) return;
    vote += (long long)r * votes;
    int left = -1, surplus = 0, count = 0;
    for (int k = 0; k < votes; ++k) {
        if (surplus == 0) left = vote[k];
        surplus += vote[k] == left ? 1 : -1;
    }
    for (int k = 0; k < votes; ++k) count += vote[k] == left;
    const bool won = 2 * count > votes;
    winner[r] = won ? left : -1;
    lead[r] = won ? 2 * count - votes : 0;
}

extern "C" void majority_votes(int polls, int votes, const int32_t* vote, int32_t* winner, int32_t* lead) {
    decide<<<(polls - 1) / 128 + 1, 128>>>(polls, votes, vote, winner, lead);
}
