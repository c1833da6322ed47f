// Thinning: a launch makes eight passes. A warp has a strip of 32 words of which it finishes 30, eight rows beyond its own 16 on either
// side, in shared memory; what the missing neighbours spoil moves in by one pixel a pass and never reaches what is written.
#include <cuda_runtime.h>

#include <utility>

constexpr int kPasses = 8, kOwn = 16, kRows = kOwn + 2 * kPasses, kWarps = 8;

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

__global__ void thin(int height, int words, const unsigned* __restrict__ bits, unsigned* __restrict__ next, int* busy) {
    __shared__ unsigned tile[2][kRows + 2][32];
    int lane = threadIdx.x, w = blockIdx.x * 30 + lane - 1, top = blockIdx.y * kOwn - kPasses;
    for (int r = threadIdx.y; r < kRows + 2; r += kWarps) {
        int y = top + r - 1;
        tile[0][r][lane] = w >= 0 && w < words && y >= 0 && y < height ? bits[(long long)y * words + w] : 0u;
        tile[1][r][lane] = 0u;
    }
    __syncthreads();
    unsigned deleted = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        const unsigned(*from)[32] = tile[pass % 2];
        for (int r = 1 + threadIdx.y; r <= kRows; r += kWarps) {
            unsigned left[3], here[3], right[3];
#pragma unroll
            for (int k = 0; k < 3; ++k) {
                here[k] = from[r + k - 1][lane];
                unsigned before = __shfl_up_sync(0xffffffffu, here[k], 1), after = __shfl_down_sync(0xffffffffu, here[k], 1);
                left[k] = here[k] << 1 | (lane > 0 ? before >> 31 : 0u);
                right[k] = here[k] >> 1 | (lane < 31 ? after << 31 : 0u);
            }
            const unsigned p[8] = {here[0], right[0], right[1], right[2], here[2], left[2], left[1], left[0]};
            unsigned gone = here[1] & which_go(p, pass % 2);
            tile[1 - pass % 2][r][lane] = here[1] & ~gone;
            bool own = r > kPasses && r <= kPasses + kOwn && lane > 0 && lane < 31;
            if (own && pass >= kPasses - 2) deleted |= gone;
        }
        __syncthreads();
    }
    if (deleted) *busy = 1;
    if (lane == 0 || lane == 31 || w >= words) return;
    for (int r = threadIdx.y; r < kOwn; r += kWarps) {
        int y = top + kPasses + r;
        if (y < height) next[(long long)y * words + w] = tile[0][kPasses + 1 + r][lane];
    }
}

extern "C" void thin_strokes(int height, int width, unsigned char* image) {
    if (height <= 0 || width <= 0) return;
    int words = (width + 31) / 32;
    size_t count = (size_t)height * words;
    unsigned* scratch = nullptr;
    cudaMalloc(&scratch, (2 * count + 1) * sizeof(unsigned));
    unsigned *now = scratch, *next = scratch + count;
    int* busy = reinterpret_cast<int*>(scratch + 2 * count);
    dim3 block(32, kWarps), pixels(words, (height + kWarps - 1) / kWarps), grid((words + 29) / 30, (height + kOwn - 1) / kOwn);
    pack<<<pixels, block>>>(height, width, words, image, now);
    for (int any = 1; any;) {
        cudaMemsetAsync(busy, 0, sizeof(int));
        thin<<<grid, block>>>(height, words, now, next, busy);
        cudaMemcpy(&any, busy, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(now, next);
    }
    unpack<<<pixels, block>>>(height, width, words, now, image);
    cudaFree(scratch);
}
