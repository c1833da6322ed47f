// Wildfire: four cells a thread in one word. A byte is compared, counted and chosen together with its three neighbours in the word.
#include <cuda_runtime.h>

__device__ unsigned load4(const unsigned char* row, int x, int cols) {
    if (x + 4 <= cols && (size_t)(row + x) % 4 == 0) return *reinterpret_cast<const unsigned*>(row + x);
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (x + k < cols) word |= (unsigned)row[x + k] << 8 * k;
    return word;
}

// Ones in the bytes that burn: states are 0 to 4, so adding 126 reaches the highest bit from 2 on.
__device__ unsigned burning(unsigned states) { return (states + 0x7e7e7e7eu) >> 7 & 0x01010101u; }

__global__ void spread(int rows, int cols, const unsigned char* __restrict__ state, const unsigned char* __restrict__ moisture,
                       unsigned char* __restrict__ next) {
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    unsigned count = 0, now = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy) {
        if (y + dy < 0 || y + dy >= rows) continue;
        const unsigned char* row = state + (long long)(y + dy) * cols;
        unsigned word = load4(row, x, cols), fire = burning(word);
        unsigned left = x > 0 && row[x - 1] >= 2 ? 1u : 0u, right = x + 4 < cols && row[x + 4] >= 2 ? 1u : 0u;
        count += fire + (fire << 8 | left) + (fire >> 8 | right << 24);
        if (dy == 0) now = word;
    }
    long long at = (long long)y * cols;
    unsigned wet = load4(moisture + at, x, cols), forest = __vcmpeq4(now, 0x01010101u), dying = __vcmpeq4(now, 0x04040404u);
    unsigned bare = __vcmpeq4(now, 0u), enough = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) enough |= 40 * (count >> 8 * k & 255u) > (wet >> 8 * k & 255u) ? 255u << 8 * k : 0u;
    unsigned older = (now + 0x01010101u) & ~(dying | bare), kept = 0x01010101u + (enough & 0x01010101u);
    unsigned then = (forest & kept) | (~forest & older);
    if (x + 4 <= cols && (size_t)(next + at + x) % 4 == 0) {
        *reinterpret_cast<unsigned*>(next + at + x) = then;
    } else {
        for (int k = 0; k < 4 && x + k < cols; ++k) next[at + x + k] = (unsigned char)(then >> 8 * k);
    }
}

extern "C" void fire_spread(int rows, int cols, const unsigned char* state, const unsigned char* moisture, unsigned char* next) {
    if (rows > 0 && cols > 0)
        spread<<<dim3((cols + 127) / 128, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, state, moisture, next);
}
