// Beamformer: 4 x 4 outputs in registers, real and imaginary parts in planes of their own; the snapshots are split over blocks,
// and a second kernel adds their sums.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kTile = 64;   // directions of a block, snapshots of a tile
constexpr int kPatch = 4;   // directions and snapshots of a thread, neighbours
constexpr int kPitch = kTile + 4;  // keeps 16-byte pieces aligned and spreads the staging stores over the banks
constexpr int kEdge = kTile / kPatch;
constexpr int kDepth = 16;  // sensors staged at a time
constexpr int kBlocks = 528;  // about four for each of 132 multiprocessors

// Four neighbouring floats of a row of a tile.
__device__ float4 quad(const float* row, int index) { return reinterpret_cast<const float4*>(row)[index]; }

__global__ void beam(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* sums) {
    __shared__ __align__(16) float w_re[kDepth][kPitch], w_im[kDepth][kPitch], v_re[kDepth][kPitch], v_im[kDepth][kPitch];
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
                Sample w = real && a0 + row < angles ? steering[(a0 + row) * sensors + s] : Sample{0.0f, 0.0f};
                Sample v = real && t0 + row < snapshots ? signal[(t0 + row) * sensors + s] : Sample{0.0f, 0.0f};
                w_re[e % kDepth][row] = w.re, w_im[e % kDepth][row] = w.im;
                v_re[e % kDepth][row] = v.re, v_im[e % kDepth][row] = v.im;
            }
            __syncthreads();
            for (int s = 0; s < kDepth; ++s) {
                float4 wr = quad(w_re[s], threadIdx.x), wi = quad(w_im[s], threadIdx.x);
                float4 vr = quad(v_re[s], threadIdx.y), vi = quad(v_im[s], threadIdx.y);
                float a[kPatch] = {wr.x, wr.y, wr.z, wr.w}, b[kPatch] = {wi.x, wi.y, wi.z, wi.w};
                float c[kPatch] = {vr.x, vr.y, vr.z, vr.w}, d[kPatch] = {vi.x, vi.y, vi.z, vi.w};
#pragma unroll
                for (int i = 0; i < kPatch; ++i)
#pragma unroll
                    for (int j = 0; j < kPatch; ++j) {
                        re[i][j] += a[j] * c[i] + b[j] * d[i];
                        im[i][j] += a[j] * d[i] - b[j] * c[i];
                    }
            }
        }
#pragma unroll
        for (int i = 0; i < kPatch; ++i)
#pragma unroll
            for (int j = 0; j < kPatch; ++j) total[j] += re[i][j] * re[i][j] + im[i][j] * im[i][j];  // snapshots past the end gave zero
    }
#pragma unroll
    for (int j = 0; j < kPatch; ++j) part[threadIdx.y][threadIdx.x * kPatch + j] = total[j];
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
