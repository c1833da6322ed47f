// Red-black SOR: a launch for each half sweep, a thread for each cell of its colour.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void relax(int nx, int ny, int colour, double omega, const double* kx, const double* ky, const double* rhs,
                      const unsigned char* solid, double* p) {
    int j = blockIdx.y * kBlockY + threadIdx.y;
    int i = 2 * (blockIdx.x * kBlockX + threadIdx.x) + (j + colour) % 2;  // the row's cells of this colour
    if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1) return;
    size_t c = (size_t)j * nx + i;
    if (solid[c]) return;
    double total = kx[c] + kx[c - 1] + ky[c] + ky[c - nx];
    double inflow = kx[c] * p[c + 1] + kx[c - 1] * p[c - 1] + ky[c] * p[c + nx] + ky[c - nx] * p[c - nx];
    p[c] += omega * ((inflow - rhs[c]) / total - p[c]);
}

extern "C" void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky,
                                  const double* rhs, const unsigned char* solid, double* p) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / (2 * kBlockX) + 1, (ny - 1) / kBlockY + 1);
    for (int half = 0; half < 2 * sweeps; ++half)
        relax<<<grid, block>>>(nx, ny, half % 2, omega, kx, ky, rhs, solid, p);
}
