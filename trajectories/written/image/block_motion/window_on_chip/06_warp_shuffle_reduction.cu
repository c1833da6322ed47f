// Block motion search; four displacements per thread, keys combined by warps before the shared minimum.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

constexpr int kColumns = 48;             // of the window: 16 + 2 * 15, rounded up
constexpr int kWords = kColumns / 4 + 1;  // a row of it, with one word that only shifts in bits nobody uses

// Costs of the four blocks that start at columns 4 * group .. 4 * group + 3 of the window.
__device__ void differences(const unsigned int (*block)[4], const unsigned int (*window)[kWords], int group,
                            unsigned int (&sum)[4]) {
    for (int y = 0; y < 16; ++y) {
        unsigned int row[5];
#pragma unroll
        for (int word = 0; word < 5; ++word) row[word] = window[y][group + word];
#pragma unroll
        for (int word = 0; word < 4; ++word) {
            const unsigned int own = block[y][word];
#pragma unroll
            for (int shift = 0; shift < 4; ++shift)
                sum[shift] += __vsadu4(own, __funnelshift_r(row[word], row[word + 1], 8 * shift));
        }
    }
}

__global__ void search(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                       int* motion, int* cost) {
    __shared__ unsigned int own[16][4], window[kColumns][kWords];
    __shared__ unsigned int least;  // cost << 10 | number of the candidate
    const int block = blockIdx.x, side = 2 * radius + 1;
    const int rows = 16 * down, pitch = 16 * across;
    const int top = block / across * 16, left = block % across * 16;
    if (threadIdx.x == 0) least = 0xffffffffu;
    for (int i = threadIdx.x; i < 256; i += kThreads)
        reinterpret_cast<unsigned char*>(own)[i] = now[(size_t)(top + i / 16) * pitch + left + i % 16];
    for (int i = threadIdx.x; i < kColumns * kWords * 4; i += kThreads) {
        const int y = top - radius + i / (kWords * 4), x = left - radius + i % (kWords * 4);
        const bool inside = y >= 0 && y < rows && x >= 0 && x < pitch;
        reinterpret_cast<unsigned char*>(window)[i] = inside ? before[(size_t)y * pitch + x] : 0;
    }
    __syncthreads();
    const int groups = (side + 3) / 4;
    unsigned int mine = 0xffffffffu;
    for (int item = threadIdx.x; item < side * groups; item += kThreads) {
        const int line = item / groups, group = item % groups, dy = line - radius;
        if (top + dy < 0 || top + dy + 16 > rows) continue;
        unsigned int sum[4] = {0, 0, 0, 0};
        differences(own, window + line, group, sum);
#pragma unroll
        for (int shift = 0; shift < 4; ++shift) {
            const int column = 4 * group + shift, x = left + column - radius;
            if (column < side && x >= 0 && x + 16 <= pitch)
                mine = min(mine, sum[shift] << 10 | (unsigned int)(line * side + column));
        }
    }
    mine = __reduce_min_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0) atomicMin(&least, mine);
    __syncthreads();
    if (threadIdx.x != 0) return;
    const int best = least & 1023u;
    motion[2 * block] = best % side - radius;
    motion[2 * block + 1] = best / side - radius;
    cost[block] = (int)(least >> 10);
}

extern "C" void block_motion(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                             int* motion, int* cost) {
    search<<<down * across, kThreads>>>(down, across, radius, now, before, motion, cost);
}
