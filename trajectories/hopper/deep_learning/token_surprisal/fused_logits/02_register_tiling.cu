// Surprisal from hidden states: 64 tokens a block pass over tiles of 64 classes, 4 x 4 logits for each thread.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 4;              // logits of a thread in each direction, kSide apart
constexpr int kTile = kSide * kEach;  // tokens of a block, and classes at a time
constexpr int kPairs = 16;            // pairs of inputs in shared memory at a time
constexpr int kThreads = kSide * kSide;

// The largest logit seen so far and the sum of exp(logit - top).
struct Partial {
    float top, sum;
};

__device__ Partial merged(Partial a, Partial b) {
    float top = fmaxf(a.top, b.top);
    return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

// Brings in kTile rows of kPairs pairs; rows and pairs that are not there become 0.
__device__ void stage(__half2 (*to)[kPairs + 1], const __half2* from, int rows, int left, int pairs) {
#pragma unroll
    for (int i = threadIdx.x; i < kTile * kPairs; i += kThreads) {
        int row = i / kPairs, p = i % kPairs;
        to[row][p] = row < rows && p < left ? from[(size_t)row * pairs + p] : __float2half2_rn(0.0f);
    }
}

__global__ void __launch_bounds__(kThreads)
    surprise(int tokens, int pairs, int classes, const __half2* x, const __half2* weight, const int* target, float* surprisal) {
    __shared__ __half2 of_token[kTile][kPairs + 1], of_class[kTile][kPairs + 1];
    __shared__ float of_target[kTile];
    int token = blockIdx.x * kTile, tx = threadIdx.x % kSide, ty = threadIdx.x / kSide, wanted[kEach];
    Partial all[kEach];
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        int t = token + ty + i * kSide;
        wanted[i] = t < tokens ? target[t] : -1;
        all[i] = {-FLT_MAX, 0.0f};  // finite, so that the merge of two empty parts has no inf - inf
    }
    for (int first = 0; first < classes; first += kTile) {
        float sum[kEach][kEach] = {};
        for (int p = 0; p < pairs; p += kPairs) {
            stage(of_token, x + (size_t)token * pairs + p, tokens - token, pairs - p, pairs);
            stage(of_class, weight + (size_t)first * pairs + p, classes - first, pairs - p, pairs);
            __syncthreads();
#pragma unroll 4
            for (int k = 0; k < kPairs; ++k) {
                float2 a[kEach], b[kEach];
#pragma unroll
                for (int j = 0; j < kEach; ++j) {
                    a[j] = __half22float2(of_token[ty + j * kSide][k]);
                    b[j] = __half22float2(of_class[tx + j * kSide][k]);
                }
#pragma unroll
                for (int i = 0; i < kEach; ++i) {
#pragma unroll
                    for (int j = 0; j < kEach; ++j) sum[i][j] += a[i].x * b[j].x + a[i].y * b[j].y;
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                int c = first + tx + j * kSide;
                if (c >= classes) continue;
                if (c == wanted[i]) of_target[ty + i * kSide] = sum[i][j];
                all[i] = merged(all[i], {sum[i][j], 1.0f});
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        // The sixteen threads of a token are half a warp.
        for (int offset = kSide / 2; offset > 0; offset /= 2) {
            float top = __shfl_xor_sync(0xffffffffu, all[i].top, offset), sum = __shfl_xor_sync(0xffffffffu, all[i].sum, offset);
            all[i] = merged(all[i], {top, sum});
        }
        int row = ty + i * kSide;
        if (tx == 0 && token + row < tokens) surprisal[token + row] = all[i].top + logf(all[i].sum) - of_target[row];
    }
}

extern "C" void token_surprisal(int tokens, int dim, int classes, const __half* x, const __half* weight, const int* target,
                                float* surprisal) {
    surprise<<<(tokens + kTile - 1) / kTile, kThreads>>>(tokens, dim / 2, classes, reinterpret_cast<const __half2*>(x),
                                                         reinterpret_cast<const __half2*>(weight), target, surprisal);
}
