// Electron density: products of 8 x 8 in double precision on tensor cores.
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kPoints = 32;  // of a block: 4 row tiles of 8
constexpr int kWarps = 8;    // two for each row tile
constexpr int kThreads = 32 * kWarps;
constexpr int kColumns = 64; // columns of the matrix in shared memory at a time: 8 tiles of 8, four for each warp
constexpr int kDepth = 32;   // rows of the matrix in shared memory at a time

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

__global__ void __launch_bounds__(kThreads) evaluate(int points, int basis, const double* phi, const double* matrix, double* density) {
    extern __shared__ __align__(128) double staged[];
    __shared__ __align__(128) double scratch[kWarps][64];
    int first = blockIdx.x * kPoints, width = (basis + kColumns - 1) / kColumns * kColumns, pitch = pitch_of(width);
    double *value = staged, *slab = staged + kPoints * pitch;
    for (int i = threadIdx.x; i < kPoints * width; i += kThreads) {
        int row = i / width, n = i % width;
        value[row * pitch + n] = first + row < points && n < basis ? phi[(size_t)(first + row) * basis + n] : 0.0;
    }

    double rho = 0.0;
    for (int column = 0; column < basis; column += kColumns) {
        Sums sums[4];
        for (int c = 0; c < 4; ++c) wmma::fill_fragment(sums[c], 0.0);
        for (int m = 0; m < basis; m += kDepth) {
            __syncthreads();  // the slab before has been used
            for (int i = threadIdx.x; i < kDepth * kColumns; i += kThreads) {
                int row = i / kColumns, n = i % kColumns;
                bool there = m + row < basis && column + n < basis;
                slab[row * pitch_of(kColumns) + n] = there ? matrix[(size_t)(m + row) * basis + column + n] : 0.0;
            }
            __syncthreads();
            multiply(value + m, slab, pitch, kDepth, sums);
        }
        rho += weighted(sums, scratch[threadIdx.x / 32], value, column, pitch);
    }
    finish(rho, points, first, density);
}

extern "C" void electron_density(int points, int basis, const double* phi, const double* matrix, double* density) {
    int width = (basis + kColumns - 1) / kColumns * kColumns;
    int bytes = (kPoints * pitch_of(width) + kDepth * pitch_of(kColumns)) * (int)sizeof(double);
    cudaFuncSetAttribute(evaluate, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    evaluate<<<(points + kPoints - 1) / kPoints, kThreads, bytes>>>(points, basis, phi, matrix, density);
}
