// Beamformer by way of the covariance; snapshots of a slice are staged in shared memory for a 32 x 32 tile of pairs.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

constexpr int kSlices = 256;
constexpr int kTile = 32;
constexpr int kDepth = 16;  // snapshots staged at a time
constexpr int kRows = 8;    // rows of pairs that the threads cover side by side
constexpr int kPer = kTile / kRows;

// Sums of v_i conj(v_j) over every slices-th stage of snapshots; a block for a tile of pairs.
__global__ void covariance(int sensors, int snapshots, const Sample* signal, Sample* parts) {
    __shared__ Sample rows[kDepth][kTile], columns[kDepth][kTile];
    int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile, x = threadIdx.x % kTile, y = threadIdx.x / kTile;
    Sample sum[kPer] = {};  // pairs (i0 + y + p * kRows, j0 + x)
    for (int t0 = blockIdx.z * kDepth; t0 < snapshots; t0 += gridDim.z * kDepth) {
        __syncthreads();
        for (int d = y; d < kDepth; d += kRows) {
            bool real = t0 + d < snapshots;
            rows[d][x] = real && i0 + x < sensors ? signal[(t0 + d) * sensors + i0 + x] : Sample{0.0f, 0.0f};
            columns[d][x] = real && j0 + x < sensors ? signal[(t0 + d) * sensors + j0 + x] : Sample{0.0f, 0.0f};
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            Sample b = columns[d][x];
#pragma unroll
            for (int p = 0; p < kPer; ++p) {
                Sample a = rows[d][y + p * kRows];
                sum[p].re += a.re * b.re + a.im * b.im;
                sum[p].im += a.im * b.re - a.re * b.im;
            }
        }
    }
#pragma unroll
    for (int p = 0; p < kPer; ++p) {
        int i = i0 + y + p * kRows, j = j0 + x;
        if (i < sensors && j < sensors) parts[((size_t)blockIdx.z * sensors + i) * sensors + j] = sum[p];
    }
}

__global__ void average(int pairs, int snapshots, int slices, const Sample* parts, Sample* R) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= pairs) return;
    float re = 0.0f, im = 0.0f;
    for (int k = 0; k < slices; ++k) re += parts[(size_t)k * pairs + e].re, im += parts[(size_t)k * pairs + e].im;
    R[e] = {re / snapshots, im / snapshots};
}

// The sum over i, j of conj(w_i) R[i][j] w_j, which is real because R is Hermitian.
__global__ void beam(int angles, int sensors, const Sample* steering, const Sample* R, float* power) {
    int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= angles) return;
    const Sample* w = steering + a * sensors;
    float total = 0.0f;
    for (int i = 0; i < sensors; ++i) {
        float re = 0.0f, im = 0.0f;  // row i of R times w
        for (int j = 0; j < sensors; ++j) {
            Sample r = R[i * sensors + j];
            re += r.re * w[j].re - r.im * w[j].im;
            im += r.re * w[j].im + r.im * w[j].re;
        }
        total += w[i].re * re + w[i].im * im;
    }
    power[a] = total;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    int pairs = sensors * sensors, tiles = (sensors + kTile - 1) / kTile, stages = (snapshots + kDepth - 1) / kDepth;
    int slices = stages < kSlices ? stages : kSlices;
    Sample* R = nullptr;  // and the slices' sums behind it
    cudaMalloc(&R, (size_t)(slices + 1) * pairs * sizeof(Sample));
    covariance<<<dim3(tiles, tiles, slices), kTile * kRows>>>(sensors, snapshots, signal, R + pairs);
    average<<<(pairs + 63) / 64, 64>>>(pairs, snapshots, slices, R + pairs, R);
    beam<<<(angles + 63) / 64, 64>>>(angles, sensors, steering, R, power);
    cudaFree(R);
}
