// Block motion search, one CUDA block per picture block, candidates spread over its threads.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ int difference(const unsigned char* a, const unsigned char* b, size_t pitch) {
    int sum = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) sum += abs(a[y * pitch + x] - b[y * pitch + x]);
    return sum;
}

__global__ void search(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                       int* motion, int* cost) {
    __shared__ unsigned int least;  // cost << 10 | number of the candidate
    const int block = blockIdx.x, side = 2 * radius + 1;
    const int rows = 16 * down, pitch = 16 * across;
    const int top = block / across * 16, left = block % across * 16;
    if (threadIdx.x == 0) least = 0xffffffffu;
    __syncthreads();
    for (int candidate = threadIdx.x; candidate < side * side; candidate += kThreads) {
        const int dy = candidate / side - radius, dx = candidate % side - radius;
        if (top + dy < 0 || top + dy + 16 > rows || left + dx < 0 || left + dx + 16 > pitch) continue;
        const int found = difference(now + (size_t)top * pitch + left,
                                     before + (size_t)(top + dy) * pitch + left + dx, pitch);
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
