// Posteriors of hidden states: the emission table lies in shared memory, states side by side.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kStates = 8, kSymbols = 20;
constexpr int kAhead = 4;  // places whose needs are loaded at once
constexpr int kLanes = 2, kOwn = kStates / kLanes;  // lanes a chain, states a lane

__device__ float sum_of(const float (&mine)[kOwn]) {
    const float sum = (mine[0] + mine[1]) + (mine[2] + mine[3]);
    return sum + __shfl_xor_sync(0xffffffffu, sum, 1);
}

__device__ void scale_to_one(float (&mine)[kOwn]) {
    const float sum = sum_of(mine);
#pragma unroll
    for (int m = 0; m < kOwn; ++m) mine[m] /= sum;
}

// Products with a matrix of which a lane has the part of its states: the rows of its own states, then those of the other lane's.
__device__ void multiply(const float (&matrix)[kStates][kOwn], const float (&given)[kOwn], float (&result)[kOwn]) {
#pragma unroll
    for (int m = 0; m < kOwn; ++m) result[m] = 0.0f;
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {
        const float theirs = __shfl_xor_sync(0xffffffffu, given[r], 1);
#pragma unroll
        for (int m = 0; m < kOwn; ++m) result[m] += given[r] * matrix[r][m] + theirs * matrix[kOwn + r][m];
    }
}

// The chances of a symbol in a lane's states, which lie side by side.
__device__ void look_up(const float4* table, int own, int symbol, float (&chance)[kOwn]) {
    const float4 four = table[symbol * kLanes + own / kOwn];
    chance[0] = four.x, chance[1] = four.y, chance[2] = four.z, chance[3] = four.w;
}

__global__ void infer(int chains, int length, const uint8_t* residue, const float* start, const float* step, const float* emit,
                      float* posterior) {
    __shared__ float4 table[kSymbols * kLanes];
    for (int i = threadIdx.x; i < kSymbols * kStates; i += blockDim.x)
        reinterpret_cast<float*>(table)[i] = emit[i % kStates * kSymbols + i / kStates];
    __syncthreads();
    const int wanted = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes, own = threadIdx.x % kLanes * kOwn, theirs = kOwn - own;
    const int c = min(wanted, chains - 1);  // lanes without a chain go along with the last one and write nothing
    const bool writes = wanted < chains;
    const uint8_t* seen = residue + (long long)c * length;
    float4* p = reinterpret_cast<float4*>(posterior + (long long)c * length * kStates + own);
    float into[kStates][kOwn], from[kStates][kOwn];  // the transitions into this lane's states and out of them
#pragma unroll
    for (int r = 0; r < kStates; ++r) {
        const int other = r < kOwn ? own + r : theirs + r - kOwn;
#pragma unroll
        for (int m = 0; m < kOwn; ++m) {
            into[r][m] = step[other * kStates + own + m];
            from[r][m] = step[(own + m) * kStates + other];
        }
    }
    // Posteriors are scaled at the end, so that the rest is scaled only now and then, against underflow.
    float mine[kOwn], sum[kOwn];
    look_up(table, own, seen[0], mine);
#pragma unroll
    for (int m = 0; m < kOwn; ++m) mine[m] *= start[own + m];
    scale_to_one(mine);
    if (writes) p[0] = {mine[0], mine[1], mine[2], mine[3]};
    for (int first = 1; first < length; first += kAhead) {
        float chance[kAhead][kOwn];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) look_up(table, own, seen[min(first + k, length - 1)], chance[k]);
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            if (first + k >= length) break;
            multiply(into, mine, sum);
#pragma unroll
            for (int m = 0; m < kOwn; ++m) mine[m] = sum[m] * chance[k][m];
            if (k == kAhead - 1) scale_to_one(mine);
            if (writes) p[(first + k) * kLanes] = {mine[0], mine[1], mine[2], mine[3]};
        }
    }
    scale_to_one(mine);
    if (writes) p[(length - 1) * kLanes] = {mine[0], mine[1], mine[2], mine[3]};
#pragma unroll
    for (int m = 0; m < kOwn; ++m) mine[m] = 1.0f;
    for (int first = length - 2; first >= 0; first -= kAhead) {
        float chance[kAhead][kOwn];
        float4 forward[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int t = max(first - k, 0);
            look_up(table, own, seen[t + 1], chance[k]);
            forward[k] = writes ? p[t * kLanes] : float4{};
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            if (first - k < 0) break;
#pragma unroll
            for (int m = 0; m < kOwn; ++m) sum[m] = chance[k][m] * mine[m];
            multiply(from, sum, mine);
            if (k == kAhead - 1) scale_to_one(mine);
            float joint[kOwn] = {forward[k].x * mine[0], forward[k].y * mine[1], forward[k].z * mine[2], forward[k].w * mine[3]};
            scale_to_one(joint);
            if (writes) p[(first - k) * kLanes] = {joint[0], joint[1], joint[2], joint[3]};
        }
    }
}

extern "C" void state_posteriors(int chains, int length, const uint8_t* residue, const float* start, const float* step,
                                 const float* emit, float* posterior) {
    infer<<<(chains - 1) / 32 + 1, 64>>>(chains, length, residue, start, step, emit, posterior);
}
