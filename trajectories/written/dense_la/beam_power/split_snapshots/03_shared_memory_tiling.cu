// Beamformer: a block covers 32 directions and walks the snapshots in tiles of 32, both staged in shared memory.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kTile = 32;   // directions of a block, snapshots of a tile
constexpr int kDepth = 16;  // sensors staged at a time
constexpr int kRows = 8;    // snapshots that the block's threads cover side by side

__global__ void beam(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    __shared__ Sample w_tile[kTile][kDepth + 1], v_tile[kTile][kDepth + 1];
    __shared__ float part[kRows][kTile];
    int a0 = blockIdx.x * kTile, flat = threadIdx.y * kTile + threadIdx.x;
    float total = 0.0f;
    for (int t0 = 0; t0 < snapshots; t0 += kTile) {
        float re[kTile / kRows] = {}, im[kTile / kRows] = {};
        for (int s0 = 0; s0 < sensors; s0 += kDepth) {
            __syncthreads();
            for (int e = flat; e < kTile * kDepth; e += kTile * kRows) {
                int row = e / kDepth, s = s0 + e % kDepth;
                bool real = s < sensors;
                w_tile[row][e % kDepth] = real && a0 + row < angles ? steering[(a0 + row) * sensors + s] : Sample{0.0f, 0.0f};
                v_tile[row][e % kDepth] = real && t0 + row < snapshots ? signal[(t0 + row) * sensors + s] : Sample{0.0f, 0.0f};
            }
            __syncthreads();
            for (int s = 0; s < kDepth; ++s) {
                Sample w = w_tile[threadIdx.x][s];
#pragma unroll
                for (int i = 0; i < kTile / kRows; ++i) {
                    Sample v = v_tile[threadIdx.y + i * kRows][s];
                    re[i] += w.re * v.re + w.im * v.im;
                    im[i] += w.re * v.im - w.im * v.re;
                }
            }
        }
#pragma unroll
        for (int i = 0; i < kTile / kRows; ++i) total += re[i] * re[i] + im[i] * im[i];  // snapshots past the end gave zero
    }
    part[threadIdx.y][threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.y == 0 && a0 + threadIdx.x < angles) {
        for (int i = 1; i < kRows; ++i) total += part[i][threadIdx.x];
        power[a0 + threadIdx.x] = total / snapshots;
    }
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    beam<<<(angles + kTile - 1) / kTile, dim3(kTile, kRows)>>>(angles, sensors, snapshots, steering, signal, power);
}
