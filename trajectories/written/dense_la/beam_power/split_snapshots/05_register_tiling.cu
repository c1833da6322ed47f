// Beamformer: 4 x 4 outputs in the registers of each thread; the snapshots are split over blocks, and a second kernel adds
// their sums.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kTile = 64;   // directions of a block, snapshots of a tile
constexpr int kPatch = 4;   // directions and snapshots of a thread, kEdge apart
constexpr int kEdge = kTile / kPatch;
constexpr int kDepth = 16;  // sensors staged at a time
constexpr int kBlocks = 528;  // about four for each of 132 multiprocessors

__global__ void beam(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* sums) {
    __shared__ Sample w_tile[kTile][kDepth + 1], v_tile[kTile][kDepth + 1];
    __shared__ float part[kEdge][kTile];
    int a0 = blockIdx.x * kTile, flat = threadIdx.y * kEdge + threadIdx.x;
    float total[kPatch] = {};
    for (int t0 = blockIdx.y * kTile; t0 < snapshots; t0 += gridDim.y * kTile) {
        float re[kPatch][kPatch] = {}, im[kPatch][kPatch] = {};  // [snapshot][direction]
        for (int s0 = 0; s0 < sensors; s0 += kDepth) {
            __syncthreads();
            for (int e = flat; e < kTile * kDepth; e += kEdge * kEdge) {
                int row = e / kDepth, s = s0 + e % kDepth;
                bool real = s < sensors;
                w_tile[row][e % kDepth] = real && a0 + row < angles ? steering[(a0 + row) * sensors + s] : Sample{0.0f, 0.0f};
                v_tile[row][e % kDepth] = real && t0 + row < snapshots ? signal[(t0 + row) * sensors + s] : Sample{0.0f, 0.0f};
            }
            __syncthreads();
            for (int s = 0; s < kDepth; ++s) {
                Sample w[kPatch];
#pragma unroll
                for (int j = 0; j < kPatch; ++j) w[j] = w_tile[threadIdx.x + j * kEdge][s];
#pragma unroll
                for (int i = 0; i < kPatch; ++i) {
                    Sample v = v_tile[threadIdx.y + i * kEdge][s];
#pragma unroll
                    for (int j = 0; j < kPatch; ++j) {
                        re[i][j] += w[j].re * v.re + w[j].im * v.im;
                        im[i][j] += w[j].re * v.im - w[j].im * v.re;
                    }
                }
            }
        }
#pragma unroll
        for (int i = 0; i < kPatch; ++i)
#pragma unroll
            for (int j = 0; j < kPatch; ++j) total[j] += re[i][j] * re[i][j] + im[i][j] * im[i][j];  // snapshots past the end gave zero
    }
#pragma unroll
    for (int j = 0; j < kPatch; ++j) part[threadIdx.y][threadIdx.x + j * kEdge] = total[j];
    __syncthreads();
    if (flat < kTile && a0 + flat < angles) {
        float sum = 0.0f;
        for (int i = 0; i < kEdge; ++i) sum += part[i][flat];
        sums[blockIdx.y * angles + a0 + flat] = sum;
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
    beam<<<dim3(columns, slices), dim3(kEdge, kEdge)>>>(angles, sensors, snapshots, steering, signal, sums);
    average<<<(angles + 127) / 128, 128>>>(angles, snapshots, slices, sums, power);
    cudaFree(sums);
}
