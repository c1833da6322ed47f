// Life: a warp counts a row's live cells and writes the number, without clears and atomics.
#include <cuda_runtime.h>

#include <cstdint>

// Sum and carry of three bits, in each of 32 places.
__device__ void add(uint32_t a, uint32_t b, uint32_t c, uint32_t& sum, uint32_t& carry) {
    sum = a ^ b ^ c;
    carry = (a & b) | (c & (a ^ b));
}

__global__ void live(int rows, int words, const uint32_t* __restrict__ now, uint32_t* __restrict__ then) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= rows * words) return;
    const int r = at / words, w = at % words, left = (w + words - 1) % words, right = (w + 1) % words;
    uint32_t ones[3], twos[3], own = 0;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        const uint32_t* row = now + (size_t)((r + d + rows - 1) % rows) * words;
        const uint32_t middle = row[w], west = middle << 1 | row[left] >> 31, east = middle >> 1 | row[right] << 31;
        if (d == 1) {
            own = middle;
            ones[d] = west ^ east;
            twos[d] = west & east;
        } else {
            add(west, middle, east, ones[d], twos[d]);
        }
    }
    uint32_t one, carry, two, four;
    add(ones[0], ones[1], ones[2], one, carry);
    add(twos[0], twos[1], twos[2], two, four);
    four |= two & carry;
    two ^= carry;
    then[at] = two & ~four & (one | own);
}

__global__ void count(int rows, int words, const uint32_t* __restrict__ board, int32_t* __restrict__ alive) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    int sum = 0;
    for (int w = lane; w < words; w += 32) sum += __popc(board[(size_t)r * words + w]);
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) alive[r] = sum;
}

extern "C" void bit_life(int rows, int words, int generations, const uint32_t* board, uint32_t* next, int32_t* alive) {
    const int all = rows * words;
    uint32_t* other = nullptr;
    cudaMallocAsync(&other, sizeof(uint32_t) * all, 0);

    for (int g = generations; g > 0; --g) {  // the last one is written to `next`
        const uint32_t* from = g == generations ? board : g % 2 ? other : next;
        live<<<(all + 255) / 256, 256>>>(rows, words, from, g % 2 ? next : other);
    }
    count<<<(rows + 7) / 8, 256>>>(rows, words, next, alive);
    cudaFreeAsync(other, 0);
}
