// Cepstral features: one kernel; a block does its neighbours' frames at either end once more.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFrame = 128, kHop = 64, kBins = kFrame / 2 + 1, kBands = 16, kKept = 8;

__constant__ int kEdge[kBands + 2] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 56, 64};

__device__ float taper(int i) { return 0.54f - 0.46f * cospif(2.0f * i / (kFrame - 1)); }

__device__ float emphasised(const int16_t* samples, int at) { return samples[at] - 0.97f * (at > 0 ? samples[at - 1] : 0); }

// Cosine and sine of i / 128 of a turn.
__device__ void fill_turns(float2* turn) {
    const int i = threadIdx.x;
    if (i < kFrame) turn[i] = make_float2(cospif(i / 64.0f), sinpif(i / 64.0f));
    __syncthreads();
}

// The loudness of a band: power under a triangle between its edges.
__device__ float loudness_of(const float* power, int b) {
    const int low = kEdge[b], middle = kEdge[b + 1], high = kEdge[b + 2];
    float rising = 0.0f, falling = 0.0f;
    for (int k = low; k < middle; ++k) rising += power[k] * (k - low);
    for (int k = middle; k < high; ++k) falling += power[k] * (high - k);
    return logf(rising / (middle - low) + falling / (high - middle) + 1.0f);
}

constexpr int kWarps = 8;  // of a block, each with a frame

// Transform of 64 complex numbers in shared memory by a warp, in place; they come in bit-reversed order.
__device__ void transform(float2* z, const float2* turn, int lane) {
#pragma unroll
    for (int half = 1; half < kFrame / 2; half *= 2) {
        const int k = lane % half, at = 2 * lane - k;
        const float2 t = turn[k * (kFrame / 2 / half)], a = z[at], b = z[at + half];
        const float2 c = make_float2(b.x * t.x + b.y * t.y, b.y * t.x - b.x * t.y);
        z[at] = make_float2(a.x + c.x, a.y + c.y);
        z[at + half] = make_float2(a.x - c.x, a.y - c.y);
        __syncwarp();
    }
}

// A real frame of 128 samples as 64 complex numbers, transformed by a warp and taken apart to 65 coefficients. Of a block's frames the
// first and the last serve their neighbours' changes alone.
__global__ void __launch_bounds__(32 * kWarps) find_features(int frames, const int16_t* samples, float* feature) {
    __shared__ float2 turn[kFrame], pair[kWarps][kFrame / 2];
    __shared__ float power[kWarps][kBins + 1];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * (kWarps - 2) - 1;
    const int f = min(max(first + warp, 0), frames - 1);
    __shared__ float loud[kWarps][kBands], wave[kKept * kBands];
    if (threadIdx.x < kKept * kBands) wave[threadIdx.x] = cospif(threadIdx.x / kBands * (threadIdx.x % kBands + 0.5f) / kBands);
    fill_turns(turn);
    float2* z = pair[warp];
    for (int i = lane; i < kFrame / 2; i += 32) {
        const int at = f * kHop + 2 * i;
        z[__brev((unsigned)i) >> 26] = make_float2(taper(2 * i) * emphasised(samples, at), taper(2 * i + 1) * emphasised(samples, at + 1));
    }
    __syncwarp();
    transform(z, turn, lane);
    for (int k = lane; k < kBins; k += 32) {
        const float2 a = z[k % 64], b = z[(64 - k) % 64], t = turn[k];
        const float even_x = 0.5f * (a.x + b.x), even_y = 0.5f * (a.y - b.y), odd_x = 0.5f * (a.y + b.y), odd_y = 0.5f * (b.x - a.x);
        const float re = even_x + odd_x * t.x + odd_y * t.y, im = even_y + odd_y * t.x - odd_x * t.y;
        power[warp][k] = re * re + im * im;
    }
    __syncwarp();
    if (lane < kBands) loud[warp][lane] = loudness_of(power[warp], lane);
    __syncthreads();
    if (warp == 0 || warp == kWarps - 1 || first + warp >= frames || lane >= 2 * kKept) return;
    float sum = 0.0f;
    for (int b = 0; b < kBands; ++b) {
        const float value = lane < kKept ? loud[warp][b] : 0.5f * (loud[warp + 1][b] - loud[warp - 1][b]);
        sum += value * wave[lane % kKept * kBands + b];
    }
    feature[(size_t)f * 2 * kKept + lane] = sum;
}

extern "C" void cepstra(int frames, const int16_t* samples, float* feature) {
    find_features<<<(frames - 1) / (kWarps - 2) + 1, 32 * kWarps>>>(frames, samples, feature);
}
