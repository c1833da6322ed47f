// Block motion search, one warp per picture block; rows are read as words and compared four bytes at a time.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr unsigned int kAll = 0xffffffffu;

// The sum of absolute differences, or any number of at least `least` if it reaches that.
__device__ int difference(const unsigned char* a, const unsigned char* b, size_t pitch, int least) {
    const unsigned int offset = (unsigned int)(reinterpret_cast<size_t>(b) % 4);
    const unsigned char* aligned = b - offset;
    const int last = offset == 0 ? 3 : 4;
    int sum = 0;
    for (int y = 0; y < 16 && sum < least; ++y) {
        const uint4 own = *reinterpret_cast<const uint4*>(a + y * pitch);
        const unsigned int* row = reinterpret_cast<const unsigned int*>(aligned + y * pitch);
        const unsigned int w0 = row[0], w1 = row[1], w2 = row[2], w3 = row[3], w4 = row[last];
        sum += (int)(__vsadu4(own.x, __funnelshift_r(w0, w1, 8 * offset)) +
                     __vsadu4(own.y, __funnelshift_r(w1, w2, 8 * offset)) +
                     __vsadu4(own.z, __funnelshift_r(w2, w3, 8 * offset)) +
                     __vsadu4(own.w, __funnelshift_r(w3, w4, 8 * offset)));
    }
    return sum;
}

__global__ void search(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                       int* motion, int* cost) {
    const int block = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32, side = 2 * radius + 1;
    if (block >= down * across) return;  // the whole warp leaves together
    const int rows = 16 * down, pitch = 16 * across;
    const int top = block / across * 16, left = block % across * 16;
    unsigned int best = 0xffffffffu;  // cost << 10 | number of the candidate, the same in all lanes
    for (int first = 0; first < side * side; first += 32) {
        const int candidate = first + lane, dy = candidate / side - radius, dx = candidate % side - radius;
        const bool inside = candidate < side * side && top + dy >= 0 && top + dy + 16 <= rows && left + dx >= 0 &&
                            left + dx + 16 <= pitch;
        unsigned int mine = 0xffffffffu;
        if (inside) {
            const int least = (int)(best >> 10);
            const int found = difference(now + (size_t)top * pitch + left,
                                         before + (size_t)(top + dy) * pitch + left + dx, pitch, least);
            if (found < least) mine = (unsigned int)found << 10 | (unsigned int)candidate;
        }
        best = min(best, __reduce_min_sync(kAll, mine));
    }
    if (lane != 0) return;
    const int number = best & 1023u;
    motion[2 * block] = number % side - radius;
    motion[2 * block + 1] = number / side - radius;
    cost[block] = (int)(best >> 10);
}

extern "C" void block_motion(int down, int across, int radius, const unsigned char* now, const unsigned char* before,
                             int* motion, int* cost) {
    const int blocks_at_once = kThreads / 32;
    search<<<(down * across - 1) / blocks_at_once + 1, kThreads>>>(down, across, radius, now, before, motion, cost);
}
