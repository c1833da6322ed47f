// Linear layer with GELU: 4 x 4 outputs for each thread, from tiles in shared memory.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kSide = 16;             // threads of a block in each direction
constexpr int kEach = 4;              // outputs of a thread in each direction, kSide apart
constexpr int kTile = kSide * kEach;  // tokens of a block, and outputs
constexpr int kPairs = 16;            // pairs of inputs in shared memory at a time
constexpr int kThreads = kSide * kSide;

__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

// Brings in kTile rows of kPairs pairs; rows and pairs that are not there become 0.
__device__ void stage(__half2 (*to)[kPairs + 1], const __half2* from, int rows, int left, int pairs) {
#pragma unroll
    for (int i = threadIdx.x; i < kTile * kPairs; i += kThreads) {
        int row = i / kPairs, p = i % kPairs;
        to[row][p] = row < rows && p < left ? from[(size_t)row * pairs + p] : __float2half2_rn(0.0f);
    }
}

__global__ void __launch_bounds__(kThreads)
    layer(int tokens, int pairs, int outs, const __half2* x, const __half2* weight, const __half* bias, __half* y) {
    __shared__ __half2 of_token[kTile][kPairs + 1], of_out[kTile][kPairs + 1];
    int token = blockIdx.y * kTile, out = blockIdx.x * kTile, tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
    float sum[kEach][kEach] = {};
    for (int first = 0; first < pairs; first += kPairs) {
        stage(of_token, x + (size_t)token * pairs + first, tokens - token, pairs - first, pairs);
        stage(of_out, weight + (size_t)out * pairs + first, outs - out, pairs - first, pairs);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < kPairs; ++k) {
            float2 a[kEach], b[kEach];
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                a[j] = __half22float2(of_token[ty + j * kSide][k]);
                b[j] = __half22float2(of_out[tx + j * kSide][k]);
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
            int t = token + ty + i * kSide, o = out + tx + j * kSide;
            if (t < tokens && o < outs) y[(size_t)t * outs + o] = __float2half(gelu(sum[i][j] + __half2float(bias[o])));
        }
    }
}

extern "C" void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    dim3 blocks((outs + kTile - 1) / kTile, (tokens + kTile - 1) / kTile);
    layer<<<blocks, kThreads>>>(tokens, ins / 2, outs, reinterpret_cast<const __half2*>(x), reinterpret_cast<const __half2*>(weight),
                                bias, y);
}
