// Echelon forms over the field of two elements: where rows are whole words of 8 bytes, a lane loads eight elements at once and a
// multiplication gathers their bits; eight lanes make a row of 64, so that a warp reads four rows in one request.
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

// The lowest bits of eight bytes as one byte, and back.
__device__ unsigned gather(unsigned long long bytes) { return (unsigned)((bytes & 0x0101010101010101ull) * 0x0102040810204080ull >> 56); }

__device__ unsigned long long spread(unsigned bits) {
    unsigned long long each = bits * 0x0101010101010101ull & 0x8040201008040201ull;
    return ((each + 0x7f7f7f7f7f7f7f7full) | each) >> 7 & 0x0101010101010101ull;
}

__global__ void reduce(bool wide, int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    __shared__ unsigned char packed[kWarps][64][8];
    int b = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (b >= batch) return;
    unsigned char(*bits)[8] = packed[threadIdx.y];
    unsigned char* own = matrix + (long long)b * rows * cols;
    const int words = (cols + 7) / 8, total = rows * words;
    for (int i = lane; i < 64 * 8; i += 32) bits[i / 8][i % 8] = 0;
    __syncwarp();
    for (int i = lane; i < total; i += 32) {
        int r = i / words, w = i % words;
        unsigned long long eight = 0;
        if (wide) eight = *reinterpret_cast<const unsigned long long*>(own + r * cols + 8 * w);
        else
            for (int k = 8 * w; k < min(8 * w + 8, cols); ++k) eight |= (unsigned long long)own[r * cols + k] << 8 * (k - 8 * w);
        bits[r][w] = (unsigned char)gather(eight);
    }
    __syncwarp();
    unsigned long long low = 0, high = 0;
    for (int w = 0; w < 8; ++w) {
        low |= (unsigned long long)bits[lane][w] << 8 * w;
        high |= (unsigned long long)bits[lane + 32][w] << 8 * w;
    }
    int done = eliminate(rows, cols, lane, low, high);
    __syncwarp();
    for (int w = 0; w < 8; ++w) {
        bits[lane][w] = (unsigned char)(low >> 8 * w);
        bits[lane + 32][w] = (unsigned char)(high >> 8 * w);
    }
    __syncwarp();
    for (int i = lane; i < total; i += 32) {
        int r = i / words, w = i % words;
        unsigned long long eight = spread(bits[r][w]);
        if (wide) *reinterpret_cast<unsigned long long*>(own + r * cols + 8 * w) = eight;
        else
            for (int k = 8 * w; k < min(8 * w + 8, cols); ++k) own[r * cols + k] = (unsigned char)(eight >> 8 * (k - 8 * w) & 1);
    }
    if (lane == 0) rank[b] = done;
}

extern "C" void gf2_echelon(int batch, int rows, int cols, unsigned char* matrix, int* rank) {
    const bool wide = cols % 8 == 0 && reinterpret_cast<size_t>(matrix) % 8 == 0;
    if (batch > 0) reduce<<<(batch + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(wide, batch, rows, cols, matrix, rank);
}
