// Noise gate: a fast transform by a warp, of two real frames as one complex one.
#include <cuda_runtime.h>

constexpr int kFrame = 64, kHop = 32;

__device__ float window(int i) { return sinpif((i + 0.5f) / kFrame); }

__device__ float2 weaken(float2 c, float noise, float least) {
    const float gain = fmaxf(least, 1.0f - noise / fmaxf(c.x * c.x + c.y * c.y, 1e-20f));
    return make_float2(gain * c.x, gain * c.y);
}

// Cosine and sine of i / 64 of a turn.
__device__ void fill_turns(float2* turn) {
    const int i = threadIdx.x;
    if (i < kFrame) turn[i] = make_float2(cospif(i / 32.0f), sinpif(i / 32.0f));
    __syncthreads();
}

constexpr int kWarps = 4, kTeam = 2 * kWarps;  // a warp takes two frames; blocks share one, so that a block gives seven hops

// Transform of 64 complex numbers in shared memory by a warp, in place; they come in bit-reversed order and leave in natural order.
__device__ void transform(float2* z, const float2* turn, int lane, float direction) {
#pragma unroll
    for (int half = 1; half < kFrame; half *= 2) {
        const int k = lane % half, at = 2 * lane - k;
        const float2 t = turn[k * (kFrame / 2 / half)], a = z[at], b = z[at + half];
        const float s = direction * t.y;
        const float2 c = make_float2(b.x * t.x - b.y * s, b.x * s + b.y * t.x);
        z[at] = make_float2(a.x + c.x, a.y + c.y);
        z[at + half] = make_float2(a.x - c.x, a.y - c.y);
        __syncwarp();
    }
}

__device__ int reversed(int i) { return (int)(__brev((unsigned)i) >> 26); }

__global__ void __launch_bounds__(32 * kWarps) clean(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    __shared__ float2 turn[kFrame], pair[kWarps][kFrame];
    __shared__ float taper[kFrame];
    const int first = blockIdx.x * (kTeam - 1) - 1, lane = threadIdx.x % 32, f = first + threadIdx.x / 32 * 2;
    if (threadIdx.x < kFrame) taper[threadIdx.x] = window(threadIdx.x);
    fill_turns(turn);
    float2* z = pair[threadIdx.x / 32];
    float piece[3];  // three hops make two frames
    for (int h = 0; h < 3; ++h) piece[h] = f + h >= 0 && f + h <= frames ? samples[(long long)(f + h) * kHop + lane] : 0.0f;
    // one frame is the real part, the next one the imaginary part
    z[reversed(lane)] = make_float2(taper[lane] * piece[0], taper[lane] * piece[1]);
    z[reversed(lane + kHop)] = make_float2(taper[lane + kHop] * piece[1], taper[lane + kHop] * piece[2]);
    __syncwarp();
    transform(z, turn, lane, -1.0f);
    // lane k has coefficients k and 64 - k, lane 0 those of 0 and 32
    const int other = lane == 0 ? 0 : kFrame - lane;
    const float2 p = z[lane], q = z[other], middle = z[kHop];
    const float2 a = weaken(make_float2(0.5f * (p.x + q.x), 0.5f * (p.y - q.y)), noise[lane], least);
    const float2 b = weaken(make_float2(0.5f * (p.y + q.y), 0.5f * (q.x - p.x)), noise[lane], least);
    const float2 ma = weaken(make_float2(middle.x, 0.0f), noise[kHop], least), mb = weaken(make_float2(middle.y, 0.0f), noise[kHop], least);
    __syncwarp();
    if (lane == 0) z[reversed(kHop)] = make_float2(ma.x, mb.x);
    z[reversed(lane)] = make_float2(a.x - b.y, a.y + b.x);
    if (lane > 0) z[reversed(other)] = make_float2(a.x + b.y, b.x - a.y);
    __syncwarp();
    transform(z, turn, lane, 1.0f);
    __syncthreads();
    for (int at = threadIdx.x; at < (kTeam - 1) * kHop; at += 32 * kWarps) {
        const int i = at % kHop, late = at / kHop, hop = first + late + 1;
        if (hop > frames) break;
        const float2 before = pair[late / 2][kHop + i], after = pair[(late + 1) / 2][i];
        float sum = 0.0f;
        if (hop > 0) sum = taper[kHop + i] * (late % 2 ? before.y : before.x);
        if (hop < frames) sum += taper[i] * (late % 2 ? after.x : after.y);
        cleaned[(size_t)hop * kHop + i] = sum / kFrame;
    }
}

extern "C" void noise_gate_frames(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    clean<<<frames / (kTeam - 1) + 1, 32 * kWarps>>>(frames, least, samples, noise, cleaned);
}
