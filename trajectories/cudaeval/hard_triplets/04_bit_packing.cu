// Triplets: rows are packed into words once, padded with zeros, so that a tile takes one load for four parts and no tests of the row's end.
#include <cuda_runtime.h>

#include <cstdint>

// far: distance above, rows from the end below; near: distance above, row below
__device__ void tell(long long far, long long near, int margin, int* positive, int* negative, unsigned long long* loss, int* active) {
    *positive = far < 0 ? -1 : 0x7fffffff - (int)(far & 0xffffffff);
    *negative = near == 0x7fffffffffffffffll ? -1 : (int)(near & 0xffffffff);
    if (far < 0 || near == 0x7fffffffffffffffll) return;
    const long long own = (far >> 32) - (near >> 32) + margin;
    if (own <= 0) return;
    atomicAdd(loss, (unsigned long long)own);
    atomicAdd(active, 1);
}

// A warp packs a row, four parts in a word and zeros behind the last, and finds the square of its length.
__global__ void pack(int rows, int parts, int words, const int8_t* __restrict__ embedding, int* __restrict__ packed, int* __restrict__ square) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= rows) return;
    const int8_t* row = embedding + (size_t)i * parts;
    int sum = 0;
    for (int w = lane; w < words; w += 32) {
        int word = 0;
        for (int k = 0; k < 4 && 4 * w + k < parts; ++k) word |= (row[4 * w + k] & 255) << 8 * k;
        packed[(size_t)i * words + w] = word;
        sum = __dp4a(word, word, sum);
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) square[i] = sum;
}

__global__ void mine(int rows, int words, int margin, const int* __restrict__ packed, const int* __restrict__ label, const int* __restrict__ square,
                     int* positive, int* negative, unsigned long long* loss, int* active) {
    __shared__ int a[32][17], b[32][17];
    const int x = threadIdx.x, top = blockIdx.x * 32;
    long long far[4], near[4];
    int own_label[4], own_square[4];
    for (int q = 0; q < 4; ++q) {
        const int i = min(top + (int)threadIdx.y + 8 * q, rows - 1);
        far[q] = -1, near[q] = 0x7fffffffffffffffll, own_label[q] = label[i], own_square[q] = square[i];
    }
    for (int left = 0; left < rows; left += 32) {
        int product[4] = {};
        for (int from = 0; from < words; from += 16) {
            __syncthreads();
            for (int e = threadIdx.y * 32 + x; e < 32 * 16; e += 256) {
                const int r = e / 16, w = e % 16;
                a[r][w] = top + r < rows ? packed[(size_t)(top + r) * words + from + w] : 0;
                b[r][w] = left + r < rows ? packed[(size_t)(left + r) * words + from + w] : 0;
            }
            __syncthreads();
            for (int w = 0; w < 16; ++w)
#pragma unroll
                for (int q = 0; q < 4; ++q) product[q] = __dp4a(a[threadIdx.y + 8 * q][w], b[x][w], product[q]);
        }
        const int j = left + x;
        if (j >= rows) continue;
        const int other = label[j], length = square[j];
        for (int q = 0; q < 4; ++q) {
            if (j == top + (int)threadIdx.y + 8 * q) continue;
            const long long sum = own_square[q] + length - 2 * product[q];
            if (other == own_label[q]) far[q] = max(far[q], sum << 32 | (0x7fffffff - j));
            else near[q] = min(near[q], sum << 32 | j);
        }
    }
    for (int q = 0; q < 4; ++q) {
        for (int apart = 16; apart > 0; apart /= 2) {
            far[q] = max(far[q], __shfl_xor_sync(0xffffffffu, far[q], apart));
            near[q] = min(near[q], __shfl_xor_sync(0xffffffffu, near[q], apart));
        }
        const int i = top + threadIdx.y + 8 * q;
        if (x == 0 && i < rows) tell(far[q], near[q], margin, positive + i, negative + i, loss, active);
    }
}

extern "C" void hard_triplets(int rows, int parts, int, int32_t margin, const int8_t* embedding, const int32_t* label, int32_t* positive, int32_t* negative,
                              int64_t* loss, int32_t* active) {
    const int words = (parts + 63) / 64 * 16;
    int* packed = nullptr;
    cudaMallocAsync(&packed, sizeof(int) * rows * (words + 1), 0);
    int* square = packed + (size_t)rows * words;
    cudaMemsetAsync(loss, 0, sizeof(int64_t));
    cudaMemsetAsync(active, 0, sizeof(int32_t));
    pack<<<(rows + 3) / 4, 128>>>(rows, parts, words, embedding, packed, square);
    mine<<<(rows + 31) / 32, dim3(32, 8)>>>(rows, words, margin, packed, label, square, positive, negative, reinterpret_cast<unsigned long long*>(loss), active);
    cudaFreeAsync(packed, 0);
}
