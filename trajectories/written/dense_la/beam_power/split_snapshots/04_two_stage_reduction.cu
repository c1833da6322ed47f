// Beamformer: tiles in shared memory; the snapshots are split over blocks, and a second kernel adds their sums.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kTile = 32;   // directions of a block, snapshots of a tile
constexpr int kDepth = 16;  // sensors staged at a time
constexpr int kBlocks = 1056;  // about eight for each of 132 multiprocessors
constexpr int kRows = 8;    // snapshots that the block's threads cover side by side

__global__ void beam(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* sums) {
    __shared__ Sample w_tile[kTile][kDepth + 1], v_tile[kTile][kDepth + 1];
    __shared__ float part[kRows][kTile];
    int a0 = blockIdx.x * kTile, flat = threadIdx.y * kTile + threadIdx.x;
    float total = 0.0f;
    for (int t0 = blockIdx.y * kTile; t0 < snapshots; t0 += gridDim.y * kTile) {
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
        sums[blockIdx.y * angles + a0 + threadIdx.x] = total;
    }
}

__global__ void average(int angles, int snapshots, int slices, const float* sums, float* power) {
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= angles) return;
    float total = 0.0f;
    for (int i = 0; i < slices; ++i) total += sums[i * angles + a];
    power[a] = total / snapshots;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    int columns = (angles + kTile - 1) / kTile, tiles = (snapshots + kTile - 1) / kTile;
    int slices = kBlocks / columns < 1 ? 1 : kBlocks / columns;
    if (slices > tiles) slices = tiles;
    float* sums = nullptr;
    cudaMalloc(&sums, (size_t)slices * angles * sizeof(float));
    beam<<<dim3(columns, slices), dim3(kTile, kRows)>>>(angles, sensors, snapshots, steering, signal, sums);
    average<<<(angles + 127) / 128, 128>>>(angles, snapshots, slices, sums, power);
    cudaFree(sums);
}
