// Reversi: a block counts 2048 positions in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long board_t;

// squares reached over stones of the enemy by shifts of `by`; edge leaves out columns that a shift would wrap to
template <int by>
__device__ board_t reach(board_t own, board_t enemy, board_t edge) {
    const board_t over = enemy & edge;
    board_t found = over & (by > 0 ? own << by : own >> -by);
#pragma unroll
    for (int i = 0; i < 5; ++i) found |= over & (by > 0 ? found << by : found >> -by);
    return by > 0 ? found << by : found >> -by;
}

__device__ board_t legal(board_t own, board_t enemy) {
    const board_t all = ~0ull, inner = 0x7e7e7e7e7e7e7e7eull;
    board_t found = reach<1>(own, enemy, inner) | reach<-1>(own, enemy, inner) | reach<8>(own, enemy, all) | reach<-8>(own, enemy, all);
    found |= reach<9>(own, enemy, inner) | reach<-9>(own, enemy, inner) | reach<7>(own, enemy, inner) | reach<-7>(own, enemy, inner);
    return found & ~(own | enemy);
}

__global__ void find(int positions, const uint64_t* __restrict__ own, const uint64_t* __restrict__ enemy, uint64_t* __restrict__ moves, int* mobility) {
    __shared__ int counts[65];
    if (threadIdx.x < 65) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 2048 + threadIdx.x, end = min(positions, (int)(blockIdx.x + 1) * 2048); i < end; i += 256) {
        const board_t a = own[i], found = legal(a, enemy[i] & ~a);
        moves[i] = found;
        atomicAdd(&counts[__popcll(found)], 1);
    }
    __syncthreads();
    if (threadIdx.x < 65 && counts[threadIdx.x]) atomicAdd(&mobility[threadIdx.x], counts[threadIdx.x]);
}

extern "C" void reversi_moves(int positions, const uint64_t* own, const uint64_t* enemy, uint64_t* moves, int32_t* mobility) {
    cudaMemsetAsync(mobility, 0, 65 * sizeof(int32_t));
    find<<<(positions + 2047) / 2048, 256>>>(positions, own, enemy, moves, mobility);
}
