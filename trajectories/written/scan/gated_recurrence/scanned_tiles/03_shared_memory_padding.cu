// Gated recurrence: a block takes 32 channels and, tile by tile, 256 steps, scanned by its 32 warps; rows of segments are padded.
#include <cuda_runtime.h>

constexpr int kLanes = 32;  // channels of a block, and segments of a tile
constexpr int kSteps = 8;   // of a segment, in the registers of a thread

struct Step {  // h -> keep * h + add
    float keep, add;
};

// First a, then b.
__device__ Step then(Step a, Step b) { return {a.keep * b.keep, b.keep * a.add + b.add}; }

// 1024 threads have 64 registers each; without the bound the compiler takes more, and the launch fails.
__global__ void __launch_bounds__(kLanes * kLanes, 1) recur(int time, int channels, const float* gate, const float* x, float* h) {
    __shared__ float keep[kLanes][kLanes + 1], add[kLanes][kLanes + 1];  // of each [segment][channel]
    __shared__ float carry[kLanes];            // the state before the tile
    int lane = threadIdx.x, segment = threadIdx.y, c = blockIdx.x * kLanes + lane;
    if (segment == 0) carry[lane] = 0.0f;
    for (int t0 = 0; t0 < time; t0 += kLanes * kSteps) {
        int first = t0 + segment * kSteps;
        Step step[kSteps], whole = {1.0f, 0.0f};
#pragma unroll
        for (int j = 0; j < kSteps; ++j) {
            step[j] = {1.0f, 0.0f};  // past the end nothing changes
            if (first + j < time && c < channels) {
                size_t i = ((size_t)blockIdx.y * time + first + j) * channels + c;
                float g = gate[i];
                step[j] = {g, (1.0f - g) * x[i]};
            }
            whole = then(whole, step[j]);
        }
        keep[segment][lane] = whole.keep, add[segment][lane] = whole.add;
        __syncthreads();

        // Warp w turns to channel w: its lanes are the segments.
        Step mine = {keep[lane][segment], add[lane][segment]};
        for (int distance = 1; distance < kLanes; distance *= 2) {
            Step before = {__shfl_up_sync(0xffffffffu, mine.keep, distance), __shfl_up_sync(0xffffffffu, mine.add, distance)};
            if (lane >= distance) mine = then(before, mine);
        }
        float start = carry[segment], end = mine.keep * start + mine.add;
        float before = __shfl_up_sync(0xffffffffu, end, 1);
        add[lane][segment] = lane == 0 ? start : before;  // the state before each segment
        __syncwarp();  // every lane has read the state; a shuffle orders no memory
        if (lane == kLanes - 1) carry[segment] = end;
        __syncthreads();

        float state = add[segment][lane];
#pragma unroll
        for (int j = 0; j < kSteps; ++j) {
            state = step[j].keep * state + step[j].add;
            if (first + j < time && c < channels) h[((size_t)blockIdx.y * time + first + j) * channels + c] = state;
        }
        __syncthreads();  // the next tile overwrites the segments
    }
}

extern "C" void gated_recurrence(int batch, int time, int channels, const float* gate, const float* x, float* h) {
    recur<<<dim3((channels + kLanes - 1) / kLanes, batch), dim3(kLanes, kLanes)>>>(time, channels, gate, x, h);
}
