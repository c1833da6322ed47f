// Triplets: distances are compared in 32 bits, with the row beside them; keys of 64 bits are made once at the end.
#include <cuda_runtime.h>

#include <cstdint>

constexpr long long kNone = 0x7fffffffffffffffll;

// A warp packs a row, four parts in a word and zeros behind the last, and finds the square of its length.
// farthest: distance above, rows from the end below; nearest: distance above, row below.
__global__ void pack(int rows, int parts, int words, const int8_t* __restrict__ embedding, int* __restrict__ packed, int* __restrict__ square, long long* __restrict__ farthest, long long* __restrict__ nearest) {
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
    if (lane == 0) square[i] = sum, farthest[i] = -1, nearest[i] = kNone;
}

__global__ void mine(int rows, int words, const int* __restrict__ packed, const int* __restrict__ label, const int* __restrict__ square,
                     long long* farthest, long long* nearest) {
    __shared__ __align__(16) int a[16][68], b[16][68];  // [word][row]
    const int x = threadIdx.x % 16, y = threadIdx.x / 16, top = blockIdx.x * 64;
    int far[4], near[4], far_row[4], near_row[4];  // a thread meets others in order, so that the first of equals stays
    int own_label[4], own_square[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        const int i = min(top + 4 * y + q, rows - 1);
        far[q] = -1, near[q] = 0x7fffffff, far_row[q] = near_row[q] = -1, own_label[q] = label[i], own_square[q] = square[i];
    }
    for (int left = 64 * blockIdx.y; left < rows; left += 64 * gridDim.y) {
        int product[4][4] = {};
        for (int from = 0; from < words; from += 16) {
            __syncthreads();
            for (int e = threadIdx.x; e < 64 * 16; e += 256) {
                const int r = e / 16, w = e % 16;
                a[w][r] = top + r < rows ? packed[(size_t)(top + r) * words + from + w] : 0;
                b[w][r] = left + r < rows ? packed[(size_t)(left + r) * words + from + w] : 0;
            }
            __syncthreads();
#pragma unroll
            for (int w = 0; w < 16; ++w) {
                const int4 anchors = *reinterpret_cast<const int4*>(&a[w][4 * y]), others = *reinterpret_cast<const int4*>(&b[w][4 * x]);
                const int p[4] = {anchors.x, anchors.y, anchors.z, anchors.w}, o[4] = {others.x, others.y, others.z, others.w};
#pragma unroll
                for (int q = 0; q < 4; ++q)
#pragma unroll
                    for (int k = 0; k < 4; ++k) product[q][k] = __dp4a(p[q], o[k], product[q][k]);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int j = left + 4 * x + k;
            if (j >= rows) continue;
            const int other = label[j], length = square[j];
#pragma unroll
            for (int q = 0; q < 4; ++q) {
                if (j == top + 4 * y + q) continue;
                const int sum = own_square[q] + length - 2 * product[q][k];
                const bool alike = other == own_label[q];
                if (alike && sum > far[q]) far[q] = sum, far_row[q] = j;
                if (!alike && sum < near[q]) near[q] = sum, near_row[q] = j;
            }
        }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        long long most = far_row[q] < 0 ? -1 : (long long)far[q] << 32 | (0x7fffffff - far_row[q]), least = near_row[q] < 0 ? kNone : (long long)near[q] << 32 | near_row[q];
        for (int apart = 8; apart > 0; apart /= 2) {
            most = max(most, __shfl_xor_sync(0xffffffffu, most, apart));
            least = min(least, __shfl_xor_sync(0xffffffffu, least, apart));
        }
        const int i = top + 4 * y + q;
        if (x || i >= rows) continue;
        atomicMax(&farthest[i], most);
        atomicMin(&nearest[i], least);
    }
}

__global__ void tell(int rows, int margin, const long long* __restrict__ farthest, const long long* __restrict__ nearest, int* positive, int* negative,
                     unsigned long long* loss, int* active) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long own = 0;
    if (i < rows) {
        const long long far = farthest[i], near = nearest[i];
        positive[i] = far < 0 ? -1 : 0x7fffffff - (int)(far & 0xffffffff);
        negative[i] = near == kNone ? -1 : (int)(near & 0xffffffff);
        if (far >= 0 && near != kNone) own = max(0ll, (far >> 32) - (near >> 32) + margin);
    }
    const unsigned count = __popc(__ballot_sync(0xffffffffu, own > 0));
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 || !count) return;
    atomicAdd(loss, (unsigned long long)own);
    atomicAdd(active, (int)count);
}

extern "C" void hard_triplets(int rows, int parts, int, int32_t margin, const int8_t* embedding, const int32_t* label, int32_t* positive, int32_t* negative,
                              int64_t* loss, int32_t* active) {
    const int words = (parts + 63) / 64 * 16;
    int* packed = nullptr;
    long long* farthest = nullptr;
    cudaMallocAsync(&packed, sizeof(int) * rows * (words + 1), 0);
    cudaMallocAsync(&farthest, 2 * sizeof(long long) * rows, 0);
    int* square = packed + (size_t)rows * words;
    long long* nearest = farthest + rows;
    cudaMemsetAsync(loss, 0, sizeof(int64_t));
    cudaMemsetAsync(active, 0, sizeof(int32_t));
    pack<<<(rows + 3) / 4, 128>>>(rows, parts, words, embedding, packed, square, farthest, nearest);
    mine<<<dim3((rows + 63) / 64, 8), 256>>>(rows, words, packed, label, square, farthest, nearest);
    tell<<<(rows + 127) / 128, 128>>>(rows, margin, farthest, nearest, positive, negative, reinterpret_cast<unsigned long long*>(loss), active);
    cudaFreeAsync(farthest, 0);
    cudaFreeAsync(packed, 0);
}
