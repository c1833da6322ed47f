// Red-black SOR: a launch for each half sweep, a thread for each cell of its colour.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

// omega over the sum of a cell's conductances; 0 where the cell keeps its value.
__global__ void weights(int nx, int ny, double omega, const double* kx, const double* ky, const unsigned char* solid,
                        double* weight) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    size_t c = (size_t)j * nx + i;
    bool fixed = i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || solid[c];
    weight[c] = fixed ? 0.0 : omega / (kx[c] + kx[c - 1] + ky[c] + ky[c - nx]);
}

__global__ void relax(int nx, int ny, int colour, const double* kx, const double* ky, const double* rhs,
                      const double* weight, double* p) {
    int j = blockIdx.y * kBlockY + threadIdx.y;
    int i = 2 * (blockIdx.x * kBlockX + threadIdx.x) + (j + colour) % 2;  // the row's cells of this colour
    if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1) return;
    size_t c = (size_t)j * nx + i;
    double here = p[c];
    double net = kx[c] * (p[c + 1] - here) + kx[c - 1] * (p[c - 1] - here) + ky[c] * (p[c + nx] - here) +
                 ky[c - nx] * (p[c - nx] - here) - rhs[c];
    p[c] = here + weight[c] * net;
}

extern "C" void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky,
                                  const double* rhs, const unsigned char* solid, double* p) {
    double* weight = nullptr;
    cudaMalloc(&weight, (size_t)nx * ny * sizeof(double));
    dim3 block(kBlockX, kBlockY), all((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    dim3 grid((nx - 1) / (2 * kBlockX) + 1, (ny - 1) / kBlockY + 1);
    weights<<<all, block>>>(nx, ny, omega, kx, ky, solid, weight);
    for (int half = 0; half < 2 * sweeps; ++half)
        relax<<<grid, block>>>(nx, ny, half % 2, kx, ky, rhs, weight, p);
    cudaFree(weight);
}
