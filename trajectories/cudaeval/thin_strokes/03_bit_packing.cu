// Thinning: 32 pixels a word. Neighbours come from three words a row by shifts, and the rules are logic on whole words.
#include <cuda_runtime.h>

#include <utility>

// 32 pixels a word; a row has `words` of them, and the last one is filled up with zeros.
__global__ void pack(int height, int width, int words, const unsigned char* __restrict__ image, unsigned* __restrict__ bits) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= height) return;
    unsigned word = __ballot_sync(0xffffffffu, x < width && image[(long long)y * width + x] != 0);
    if (threadIdx.x == 0) bits[(long long)y * words + blockIdx.x] = word;
}

__global__ void unpack(int height, int width, int words, const unsigned* __restrict__ bits, unsigned char* __restrict__ image) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) image[(long long)y * width + x] = bits[(long long)y * words + blockIdx.x] >> threadIdx.x & 1u;
}

// Which of 32 ones go in this pass: the same question for all of them by logic on words. p[0] has the upper neighbours, then clockwise.
__device__ unsigned which_go(const unsigned* p, int pass) {
    unsigned one = 0, two = 0, zero = 0, two_zeros = 0, rise = 0, rises = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        unsigned up = ~p[k] & p[(k + 1) % 8];
        two |= one & p[k];
        one |= p[k];
        two_zeros |= zero & ~p[k];
        zero |= ~p[k];
        rises |= rise & up;
        rise |= up;
    }
    unsigned sides = pass == 0 ? p[2] & p[4] & (p[0] | p[6]) : p[0] & p[6] & (p[2] | p[4]);
    return two & two_zeros & rise & ~rises & ~sides;
}

__global__ void thin(int height, int words, int pass, const unsigned* __restrict__ bits, unsigned* __restrict__ next, int* busy) {
    int w = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (w >= words || y >= height) return;
    unsigned left[3], here[3], right[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        int row = y + k - 1;
        bool inside = row >= 0 && row < height;
        const unsigned* line = bits + (long long)row * words;
        here[k] = inside ? line[w] : 0u;
        left[k] = here[k] << 1 | (inside && w > 0 ? line[w - 1] >> 31 : 0u);
        right[k] = here[k] >> 1 | (inside && w + 1 < words ? line[w + 1] << 31 : 0u);
    }
    const unsigned p[8] = {here[0], right[0], right[1], right[2], here[2], left[2], left[1], left[0]};
    unsigned gone = here[1] & which_go(p, pass);
    next[(long long)y * words + w] = here[1] & ~gone;
    if (gone) *busy = 1;
}

extern "C" void thin_strokes(int height, int width, unsigned char* image) {
    if (height <= 0 || width <= 0) return;
    int words = (width + 31) / 32;
    size_t count = (size_t)height * words;
    unsigned* scratch = nullptr;
    cudaMalloc(&scratch, (2 * count + 1) * sizeof(unsigned));
    unsigned *now = scratch, *next = scratch + count;
    int* busy = reinterpret_cast<int*>(scratch + 2 * count);
    dim3 block(32, 8), pixels(words, (height + 7) / 8), grid((words + 31) / 32, (height + 7) / 8);
    pack<<<pixels, block>>>(height, width, words, image, now);
    for (int pass = 0, idle = 0; idle < 2; pass = 1 - pass) {
        int any = 0;
        cudaMemsetAsync(busy, 0, sizeof(int));
        thin<<<grid, block>>>(height, words, pass, now, next, busy);
        cudaMemcpy(&any, busy, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(now, next);
        idle = any ? 0 : idle + 1;
    }
    unpack<<<pixels, block>>>(height, width, words, now, image);
    cudaFree(scratch);
}
