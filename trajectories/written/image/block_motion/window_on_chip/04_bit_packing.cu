// Block motion search, one CUDA block per picture block; four bytes at a time by word-wide differences.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

constexpr int kColumns = 48;             // of the window: 16 + 2 * 15, rounded up
constexpr int kWords = kColumns / 4 + 1;  // a row of it, with one word that only shifts in bits nobody uses

__device__ int difference(const unsigned int (*block)[4], const unsigned int (*window)[kWords], int column) {
    unsigned int sum = 0;
    for (int y = 0; y < 16; ++y) {
        const unsigned int* row = window[y] + column / 4;
        for (int word = 0; word < 4; ++word) {
            const unsigned int shifted = __funnelshift_r(row[word], row[word + 1], 8 * (column % 4));
            sum += __vsadu4(block[y][word], shifted);
        }
    }
    return (int)sum;
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
    for (int candidate = threadIdx.x; candidate < side * side; candidate += kThreads) {
        const int dy = candidate / side - radius, dx = candidate % side - radius;
        if (top + dy < 0 || top + dy + 16 > rows || left + dx < 0 || left + dx + 16 > pitch) continue;
        const int found = difference(own, window + dy + radius, dx + radius);
        atomicMin(&least, (unsigned int)found << 10 | (unsigned int)candidate);
    }
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
