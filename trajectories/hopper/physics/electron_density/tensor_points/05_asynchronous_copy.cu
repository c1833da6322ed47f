// Electron density: tensor cores on one slab of the matrix while cp.async brings in the next two.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kPoints = 32;  // of a block: 4 row tiles of 8
constexpr int kWarps = 8;    // two for each row tile
constexpr int kThreads = 32 * kWarps;
constexpr int kColumns = 64; // columns of the matrix in shared memory at a time: 8 tiles of 8, four for each warp
constexpr int kDepth = 16;   // rows of the matrix in a slab
constexpr int kStages = 3;

// Row pitches in doubles: multiples of 4 keep fragments aligned, and 4 more than a multiple of 16 spread rows over the banks.
__host__ __device__ constexpr int pitch_of(int width) { return (width + 15) / 16 * 16 + 4; }

using Sums = wmma::fragment<wmma::accumulator, 8, 8, 4, double>;

// Adds a slab of `depth` rows of the matrix, a multiple of 4, to a warp's four products: row tile warp / 2, column tiles warp % 2 * 4
// and the next three.
__device__ void multiply(const double* value, const double* slab, int pitch, int depth, Sums (&sums)[4]) {
    int warp = threadIdx.x / 32;
    for (int m = 0; m < depth; m += 4) {
        wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
        wmma::load_matrix_sync(a, value + warp / 2 * 8 * pitch + m, pitch);
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
            wmma::load_matrix_sync(b, slab + m * pitch_of(kColumns) + (warp % 2 * 4 + c) * 8, pitch_of(kColumns));
            wmma::mma_sync(sums[c], a, b, sums[c]);
        }
    }
}

// Adds to rho the products of a warp's rows with the columns from `column` on, each times phi there. Four lanes share a row.
__device__ double weighted(const Sums (&sums)[4], double* scratch, const double* value, int column, int pitch) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4;
    double rho = 0.0;
    for (int c = 0; c < 4; ++c) {
        wmma::store_matrix_sync(scratch, sums[c], 8, wmma::mem_row_major);
        __syncwarp();
        int n = column + (warp % 2 * 4 + c) * 8 + lane % 4 * 2;
        const double* mine = value + (warp / 2 * 8 + row) * pitch;
        rho += scratch[row * 8 + lane % 4 * 2] * mine[n];
        rho += scratch[row * 8 + lane % 4 * 2 + 1] * mine[n + 1];
        __syncwarp();
    }
    return rho;
}

// Adds up the lanes and the two warps of each row and writes the densities.
__device__ void finish(double rho, int points, int first, double* density) {
    __shared__ double part[kWarps][8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    rho += __shfl_xor_sync(0xffffffffu, rho, 1);
    rho += __shfl_xor_sync(0xffffffffu, rho, 2);
    if (lane % 4 == 0) part[warp][lane / 4] = rho;
    __syncthreads();
    int p = threadIdx.x;
    if (p < kPoints && first + p < points) density[first + p] = part[p / 8 * 2][p % 8] + part[p / 8 * 2 + 1][p % 8];
}

// Orders the copy of `rows` rows of `width` doubles, `from_pitch` apart, to `all` rows `to_pitch` apart; what is not there becomes 0.
// Pieces are single doubles, since rows of an odd number of them are aligned to no more.
__device__ void order(double* to, const double* from, int rows, int all, int width, int padded, int from_pitch, int to_pitch) {
    for (int i = threadIdx.x; i < all * padded; i += kThreads) {
        int row = i / padded, n = i % padded;
        bool there = row < rows && n < width;
        __pipeline_memcpy_async(to + row * to_pitch + n, there ? from + (size_t)row * from_pitch + n : from, 8, there ? 0 : 8);
    }
}

__global__ void __launch_bounds__(kThreads) evaluate(int points, int basis, const double* phi, const double* matrix, double* density) {
    extern __shared__ __align__(128) double staged[];
    __shared__ __align__(128) double scratch[kWarps][64];
    int first = blockIdx.x * kPoints, width = (basis + kColumns - 1) / kColumns * kColumns, pitch = pitch_of(width);
    double *value = staged, *ring = staged + kPoints * pitch;
    constexpr int kSlab = kDepth * pitch_of(kColumns);
    int depths = (basis + kDepth - 1) / kDepth, jobs = width / kColumns * depths;

    // Job j is slab j % depths of column group j / depths. A batch is committed for each job, also for those past the end.
    auto order_job = [&](int j) {
        if (j < jobs) {
            int m = j % depths * kDepth, column = j / depths * kColumns;
            order(ring + j % kStages * kSlab, matrix + (size_t)m * basis + column, min(kDepth, basis - m), kDepth,
                  min(kColumns, basis - column), kColumns, basis, pitch_of(kColumns));
        }
        __pipeline_commit();
    };
    order(value, phi + (size_t)first * basis, min(kPoints, points - first), kPoints, basis, width, basis, pitch);
    for (int j = 0; j < kStages - 1; ++j) order_job(j);  // the points belong to the first batch

    double rho = 0.0;
    Sums sums[4];
    for (int j = 0; j < jobs; ++j) {
        __pipeline_wait_prior(kStages - 2);  // batch j has arrived
        __syncthreads();                     // for all threads, and the slab before has been used
        order_job(j + kStages - 1);
        if (j % depths == 0) {
            for (int c = 0; c < 4; ++c) wmma::fill_fragment(sums[c], 0.0);
        }
        multiply(value + j % depths * kDepth, ring + j % kStages * kSlab, pitch, kDepth, sums);
        if (j % depths == depths - 1) rho += weighted(sums, scratch[threadIdx.x / 32], value, j / depths * kColumns, pitch);
    }
    __pipeline_wait_prior(0);
    finish(rho, points, first, density);
}

extern "C" void electron_density(int points, int basis, const double* phi, const double* matrix, double* density) {
    int width = (basis + kColumns - 1) / kColumns * kColumns;
    int bytes = (kPoints * pitch_of(width) + kStages * kDepth * pitch_of(kColumns)) * (int)sizeof(double);
    cudaFuncSetAttribute(evaluate, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    evaluate<<<(points + kPoints - 1) / kPoints, kThreads, bytes>>>(points, basis, phi, matrix, density);
}
