// Beamformer by way of the covariance; the next stage of snapshots is copied to shared memory while this one is multiplied.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

struct alignas(8) Sample {
    float re, im;
};

constexpr int kSlices = 256;
constexpr int kTile = 32;
constexpr int kDepth = 16;  // snapshots staged at a time
constexpr int kRows = 8;    // rows of pairs that the threads cover side by side
constexpr int kPer = kTile / kRows;

// Orders the copies of one stage; what lies outside is zero.
__device__ void stage(Sample (*rows)[kTile], Sample (*columns)[kTile], int t0, int i0, int j0, int sensors, int snapshots,
                      const Sample* signal) {
    int x = threadIdx.x % kTile;
    for (int d = threadIdx.x / kTile; d < kDepth; d += kRows) {
        const Sample* snapshot = signal + (size_t)(t0 + d) * sensors;
        if (t0 + d < snapshots && i0 + x < sensors)
            __pipeline_memcpy_async(&rows[d][x], snapshot + i0 + x, sizeof(Sample));
        else
            rows[d][x] = {0.0f, 0.0f};
        if (t0 + d < snapshots && j0 + x < sensors)
            __pipeline_memcpy_async(&columns[d][x], snapshot + j0 + x, sizeof(Sample));
        else
            columns[d][x] = {0.0f, 0.0f};
    }
    __pipeline_commit();
}

// Sums of v_i conj(v_j) over every slices-th stage of snapshots; a block for a tile of pairs.
__global__ void covariance(int sensors, int snapshots, const Sample* signal, Sample* parts) {
    if (blockIdx.x < blockIdx.y) return;  // below the diagonal: the mirror of what another block computes
    __shared__ Sample rows[2][kDepth][kTile], columns[2][kDepth][kTile];
    int i0 = blockIdx.y * kTile, j0 = blockIdx.x * kTile, x = threadIdx.x % kTile, y = threadIdx.x / kTile;
    Sample sum[kPer] = {};  // pairs (i0 + y + p * kRows, j0 + x)
    int now = 0, step = gridDim.z * kDepth;
    stage(rows[0], columns[0], blockIdx.z * kDepth, i0, j0, sensors, snapshots, signal);
    for (int t0 = blockIdx.z * kDepth; t0 < snapshots; t0 += step, now = 1 - now) {
        if (t0 + step < snapshots) {
            stage(rows[1 - now], columns[1 - now], t0 + step, i0, j0, sensors, snapshots, signal);
            __pipeline_wait_prior(1);  // this stage has arrived, the next may be under way
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < kDepth; ++d) {
            Sample b = columns[now][d][x];
#pragma unroll
            for (int p = 0; p < kPer; ++p) {
                Sample a = rows[now][d][y + p * kRows];
                sum[p].re += a.re * b.re + a.im * b.im;
                sum[p].im += a.im * b.re - a.re * b.im;
            }
        }
        __syncthreads();  // the next round copies over this stage
    }
#pragma unroll
    for (int p = 0; p < kPer; ++p) {
        int i = i0 + y + p * kRows, j = j0 + x;
        if (i < sensors && j < sensors) parts[((size_t)blockIdx.z * sensors + i) * sensors + j] = sum[p];
    }
}

__global__ void average(int sensors, int snapshots, int slices, const Sample* parts, Sample* R) {
    int e = blockIdx.x * blockDim.x + threadIdx.x, i = e / sensors, j = e % sensors;
    if (i >= sensors || i / kTile > j / kTile) return;
    float re = 0.0f, im = 0.0f;
    size_t pairs = (size_t)sensors * sensors;
    for (int k = 0; k < slices; ++k) re += parts[k * pairs + e].re, im += parts[k * pairs + e].im;
    R[e] = {re / snapshots, im / snapshots};
    if (i / kTile < j / kTile) R[j * sensors + i] = {re / snapshots, -im / snapshots};
}

// The sum over i, j of conj(w_i) R[i][j] w_j, which is real because R is Hermitian.
__global__ void beam(int angles, int sensors, const Sample* steering, const Sample* R, float* power) {
    int a = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (a >= angles) return;  // a whole warp
    const Sample* w = steering + a * sensors;
    float total = 0.0f;
    for (int i = lane; i < sensors; i += 32) {
        float re = 0.0f, im = 0.0f;  // row i of R times w, read as a column, since R[i][j] is the conjugate of R[j][i]
        for (int j = 0; j < sensors; ++j) {
            Sample r = R[j * sensors + i];
            re += r.re * w[j].re + r.im * w[j].im;
            im += r.re * w[j].im - r.im * w[j].re;
        }
        total += w[i].re * re + w[i].im * im;
    }
    for (int distance = 16; distance > 0; distance /= 2) total += __shfl_down_sync(0xffffffffu, total, distance);
    if (lane == 0) power[a] = total;
}

extern "C" void beam_power(int angles, int sensors, int snapshots, const Sample* steering, const Sample* signal, float* power) {
    int pairs = sensors * sensors, tiles = (sensors + kTile - 1) / kTile, stages = (snapshots + kDepth - 1) / kDepth;
    int slices = stages < kSlices ? stages : kSlices;
    Sample* R = nullptr;  // and the slices' sums behind it
    cudaMalloc(&R, (size_t)(slices + 1) * pairs * sizeof(Sample));
    covariance<<<dim3(tiles, tiles, slices), kTile * kRows>>>(sensors, snapshots, signal, R + pairs);
    average<<<(pairs + 63) / 64, 64>>>(sensors, snapshots, slices, R + pairs, R);
    beam<<<(angles + 7) / 8, 256>>>(angles, sensors, steering, R, power);
    cudaFree(R);
}
