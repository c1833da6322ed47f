// Linear layer with GELU: tiles of tokens and of weights in shared memory, as pairs of halves.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kTile = 32;   // tokens of a block, and outputs
constexpr int kPairs = 16;  // pairs of inputs in shared memory at a time
static_assert(2 * kTile * kPairs == kTile * kTile, "each thread brings in one pair");

__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

__global__ void __launch_bounds__(kTile* kTile)
    layer(int tokens, int pairs, int outs, const __half2* x, const __half2* weight, const __half* bias, __half* y) {
    // An odd pitch: lanes read one column of the weights, each from another bank.
    __shared__ __half2 of_token[kTile][kPairs + 1], of_out[kTile][kPairs + 1];
    int o = blockIdx.x * kTile + threadIdx.x, t = blockIdx.y * kTile + threadIdx.y;
    int id = threadIdx.y * kTile + threadIdx.x, row = id / kPairs % kTile, p = id % kPairs;
    bool brings_token = id < kTile * kPairs;  // the first half of the threads; the others bring in weights
    int line = (brings_token ? blockIdx.y : blockIdx.x) * kTile + row;
    const __half2* from = (brings_token ? x : weight) + (size_t)line * pairs;
    __half2* to = brings_token ? &of_token[row][p] : &of_out[row][p];
    bool is_line = line < (brings_token ? tokens : outs);

    float sum = 0.0f;
    for (int first = 0; first < pairs; first += kPairs) {
        *to = is_line && first + p < pairs ? from[first + p] : __float2half2_rn(0.0f);
        __syncthreads();
        for (int k = 0; k < kPairs; ++k) {
            float2 a = __half22float2(of_token[threadIdx.y][k]), b = __half22float2(of_out[threadIdx.x][k]);
            sum += a.x * b.x + a.y * b.y;
        }
        __syncthreads();
    }
    if (t < tokens && o < outs) y[(size_t)t * outs + o] = __float2half(gelu(sum + __half2float(bias[o])));
}

extern "C" void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    dim3 blocks((outs + kTile - 1) / kTile, (tokens + kTile - 1) / kTile);
    layer<<<blocks, dim3(kTile, kTile)>>>(tokens, ins / 2, outs, reinterpret_cast<const __half2*>(x),
                                          reinterpret_cast<const __half2*>(weight), bias, y);
}
