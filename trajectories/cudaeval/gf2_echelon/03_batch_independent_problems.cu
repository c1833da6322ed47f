// Echelon forms over the field of two elements: one warp a matrix, two rows a lane in registers. Lanes read 32 neighbouring bytes of a row,
// and a vote makes them bits.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

// Elimination by a warp: lane l has the rows l and l + 32. A vote finds the pivot, a shuffle hands its row to all. Returns the rank.
__device__ int eliminate(int rows, int cols, int lane, unsigned long long& low, unsigned long long& high) {
    int done = 0;
    for (int c = 0; c < cols && done < rows; ++c) {
        unsigned below = __ballot_sync(0xffffffffu, low >> c & 1), above = __ballot_sync(0xffffffffu, high >> c & 1);
        unsigned long long open = ((unsigned long long)above << 32 | below) >> done << done;
        if (open == 0) continue;
        int pivot = __ffsll((long long)open) - 1;
        unsigned long long leader = __shfl_sync(0xffffffffu, pivot < 32 ? low : high, pivot % 32);
        unsigned long long displaced = __shfl_sync(0xffffffffu, done < 32 ? low : high, done % 32);
        if (lane == pivot % 32) (pivot < 32 ? low : high) = displaced;
        if (lane == done % 32) (done < 32 ? low : high) = 0;
        if (low >> c & 1) low ^= leader;
        if (high >> c & 1) high ^= leader;
        if (lane == done % 32) (done < 32 ? low : high) = leader;
        ++done;
    }
    return done;
}

__global__ void reduce(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    int b = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (b >= batch) return;
    unsigned char* own = matrix + (long long)b * rows * cols;
    unsigned long long low = 0, high = 0;
    for (int r = 0; r < rows; ++r) {
        unsigned left = __ballot_sync(0xffffffffu, lane < cols && own[r * cols + lane] != 0);
        unsigned right = __ballot_sync(0xffffffffu, lane + 32 < cols && own[r * cols + lane + 32] != 0);
        if (lane == r % 32) (r < 32 ? low : high) = (unsigned long long)right << 32 | left;
    }
    int done = eliminate(rows, cols, lane, low, high);
    for (int r = 0; r < rows; ++r) {
        unsigned long long row = __shfl_sync(0xffffffffu, r < 32 ? low : high, r % 32);
        if (lane < cols) own[r * cols + lane] = (unsigned char)(row >> lane & 1);
        if (lane + 32 < cols) own[r * cols + lane + 32] = (unsigned char)(row >> lane >> 32 & 1);
    }
    if (lane == 0) rank[b] = done;
}

extern "C" void gf2_echelon(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    if (batch > 0) reduce<<<(batch + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(batch, rows, cols, matrix, rank);
}
