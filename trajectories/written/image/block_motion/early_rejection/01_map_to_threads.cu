// Block motion search, one thread per picture block.
#include <cuda_runtime.h>

#include <climits>

constexpr int kThreads = 64;

__device__ int difference(const unsigned char* a, const unsigned char* b, size_t pitch) {
    int sum = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) sum += abs(a[y * pitch + x] - b[y * pitch + x]);
    return sum;
}

__global__ void search(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                       int* motion, int* cost) {
    const int block = blockIdx.x * kThreads + threadIdx.x;
    if (block >= down * across) return;
    const int rows = 16 * down, pitch = 16 * across;
    const int top = block / across * 16, left = block % across * 16;
    int least = INT_MAX, best_dx = 0, best_dy = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        if (top + dy < 0 || top + dy + 16 > rows) continue;
        for (int dx = -radius; dx <= radius; ++dx) {
            if (left + dx < 0 || left + dx + 16 > pitch) continue;
            const int found = difference(now + (size_t)top * pitch + left,
                                         before + (size_t)(top + dy) * pitch + left + dx, pitch);
            if (found < least) {
                least = found;
                best_dx = dx;
                best_dy = dy;
            }
        }
    }
    motion[2 * block] = best_dx;
    motion[2 * block + 1] = best_dy;
    cost[block] = least;
}

extern "C" void block_motion(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                             int* motion, int* cost) {
    search<<<(down * across - 1) / kThreads + 1, kThreads>>>(down, across, radius, now, before, motion, cost);
}
