// Red-black SOR: both colours of a sweep in one launch, on tiles with a halo of two cells.
#include <cuda_runtime.h>

#include <utility>

constexpr int kTileX = 64, kTileY = 16, kHalo = 2;
constexpr int kThreads = 256;
constexpr int kWide = kTileX + 2 * kHalo, kHigh = kTileY + 2 * kHalo;

struct Problem {
    int nx, ny;
    double omega;
    const double *kx, *ky, *rhs;
    const unsigned char* solid;
};

// Relaxes the cells of one colour that lie at least `rim` cells inside the enlarged tile.
__device__ void relax(const Problem& a, double (&tile)[kHigh][kWide], int i0, int j0, int colour, int rim) {
    int wide = kWide - 2 * rim, cells = wide * (kHigh - 2 * rim);
    for (int t = threadIdx.x; t < cells; t += kThreads) {
        int tx = t % wide + rim, ty = t / wide + rim;
        int i = i0 + tx, j = j0 + ty;
        if (i < 1 || i >= a.nx - 1 || j < 1 || j >= a.ny - 1 || (i + j) % 2 != colour) continue;
        size_t c = (size_t)j * a.nx + i;
        if (a.solid[c]) continue;
        double e = a.kx[c], w = a.kx[c - 1], n = a.ky[c], s = a.ky[c - a.nx];
        double inflow = e * tile[ty][tx + 1] + w * tile[ty][tx - 1] + n * tile[ty + 1][tx] + s * tile[ty - 1][tx];
        tile[ty][tx] += a.omega * ((inflow - a.rhs[c]) / (e + w + n + s) - tile[ty][tx]);
    }
}

__global__ void sweep(Problem a, const double* from, double* to) {
    __shared__ double tile[kHigh][kWide];
    int i0 = blockIdx.x * kTileX - kHalo, j0 = blockIdx.y * kTileY - kHalo;
    for (int t = threadIdx.x; t < kWide * kHigh; t += kThreads) {
        int i = i0 + t % kWide, j = j0 + t / kWide;
        bool in_grid = i >= 0 && i < a.nx && j >= 0 && j < a.ny;
        tile[t / kWide][t % kWide] = in_grid ? from[(size_t)j * a.nx + i] : 0.0;
    }
    __syncthreads();
    relax(a, tile, i0, j0, 0, 1);
    __syncthreads();
    relax(a, tile, i0, j0, 1, kHalo);
    __syncthreads();
    for (int t = threadIdx.x; t < kTileX * kTileY; t += kThreads) {
        int tx = t % kTileX + kHalo, ty = t / kTileX + kHalo;
        if (i0 + tx < a.nx && j0 + ty < a.ny) to[(size_t)(j0 + ty) * a.nx + i0 + tx] = tile[ty][tx];
    }
}

extern "C" void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky,
                                  const double* rhs, const unsigned char* solid, double* p) {
    size_t bytes = (size_t)nx * ny * sizeof(double);
    double* scratch = nullptr;
    cudaMalloc(&scratch, bytes);
    double *from = p, *to = scratch;
    Problem problem = {nx, ny, omega, kx, ky, rhs, solid};
    dim3 grid((nx - 1) / kTileX + 1, (ny - 1) / kTileY + 1);
    for (int k = 0; k < sweeps; ++k) {
        sweep<<<grid, kThreads>>>(problem, from, to);
        std::swap(from, to);
    }
    if (from != p) cudaMemcpyAsync(p, from, bytes, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
