// Triplets: tiles of 32 anchors and 32 others meet in shared memory, four parts in a word: distances come from four-way products, |a|^2 + |b|^2 - 2 a b.
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

__global__ void lengths(int rows, int parts, const int8_t* embedding, int* square) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    int sum = 0;
    for (int p = 0; p < parts; ++p) sum += embedding[(size_t)i * parts + p] * embedding[(size_t)i * parts + p];
    square[i] = sum;
}

__device__ int four(const int8_t* row, int parts, int p) {
    int word = 0;
    for (int k = 0; k < 4 && p + k < parts; ++k) word |= (row[p + k] & 255) << 8 * k;
    return word;
}

__global__ void mine(int rows, int parts, int margin, const int8_t* __restrict__ embedding, const int* __restrict__ label, const int* __restrict__ square,
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
        for (int from = 0; from < parts; from += 64) {
            __syncthreads();
            for (int e = threadIdx.y * 32 + x; e < 32 * 16; e += 256) {
                const int r = e / 16, w = e % 16;
                a[r][w] = top + r < rows ? four(embedding + (size_t)(top + r) * parts, parts, from + 4 * w) : 0;
                b[r][w] = left + r < rows ? four(embedding + (size_t)(left + r) * parts, parts, from + 4 * w) : 0;
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
    int* square = nullptr;
    cudaMallocAsync(&square, sizeof(int) * rows, 0);
    cudaMemsetAsync(loss, 0, sizeof(int64_t));
    cudaMemsetAsync(active, 0, sizeof(int32_t));
    lengths<<<(rows + 127) / 128, 128>>>(rows, parts, embedding, square);
    mine<<<(rows + 31) / 32, dim3(32, 8)>>>(rows, parts, margin, embedding, label, square, positive, negative, reinterpret_cast<unsigned long long*>(loss), active);
    cudaFreeAsync(square, 0);
}
