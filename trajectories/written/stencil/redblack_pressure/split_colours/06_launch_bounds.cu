// Red-black SOR on split arrays: the cells of one colour lie together, and one launch does all sweeps.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int kBlockX = 32, kBlockY = 8;

// One colour's part of every array: ny rows of `half` cells. Cell m of row j is i = 2 m + (j + colour) % 2.
struct Plane {
    double *p, *kx, *ky, *rhs, *weight;
};

struct Planes {
    Plane colour[2];
};

__global__ void split(int nx, int ny, int half, double omega, const double* kx, const double* ky, const double* rhs,
                      const unsigned char* solid, const double* p, Planes to) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    size_t c = (size_t)j * nx + i, at = (size_t)j * half + i / 2;
    bool fixed = i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1 || solid[c];
    Plane plane = (i + j) % 2 == 0 ? to.colour[0] : to.colour[1];
    plane.p[at] = p[c];
    plane.kx[at] = kx[c];
    plane.ky[at] = ky[c];
    plane.rhs[at] = rhs[c];
    plane.weight[at] = fixed ? 0.0 : omega / (kx[c] + kx[c - 1] + ky[c] + ky[c - nx]);
}

__global__ void join(int nx, int ny, int half, Planes from, double* p) {
    int i = blockIdx.x * kBlockX + threadIdx.x;
    int j = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= nx || j >= ny) return;
    const double* part = (i + j) % 2 == 0 ? from.colour[0].p : from.colour[1].p;
    p[(size_t)j * nx + i] = part[(size_t)j * half + i / 2];
}

__device__ void relax_cell(int nx, int ny, int half, int colour, const Plane& own, const Plane& other, int m, int j) {
    int odd = (j + colour) % 2;
    int i = 2 * m + odd;
    if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1) return;
    size_t at = (size_t)j * half + m;
    size_t east = at + odd, west = at + odd - 1, north = at + half, south = at - half;
    double here = own.p[at];
    double net = own.kx[at] * (other.p[east] - here) + other.kx[west] * (other.p[west] - here) +
                 own.ky[at] * (other.p[north] - here) + other.ky[south] * (other.p[south] - here) - own.rhs[at];
    own.p[at] = here + own.weight[at] * net;
}

__global__ void __launch_bounds__(kBlockX* kBlockY, 6) solve(int nx, int ny, int half, int sweeps, Planes planes) {
    cg::grid_group grid = cg::this_grid();
    int across = (half - 1) / kBlockX + 1, tiles = across * ((ny - 1) / kBlockY + 1);
    for (int k = 0; k < 2 * sweeps; ++k) {
        int colour = k % 2;
        Plane own = colour == 0 ? planes.colour[0] : planes.colour[1];
        Plane other = colour == 0 ? planes.colour[1] : planes.colour[0];
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int m = tile % across * kBlockX + threadIdx.x;
            int j = tile / across * kBlockY + threadIdx.y;
            if (m < half) relax_cell(nx, ny, half, colour, own, other, m, j);
        }
        grid.sync();
    }
}

extern "C" void redblack_pressure(int nx, int ny, int sweeps, double omega, const double* kx, const double* ky,
                                  const double* rhs, const unsigned char* solid, double* p) {
    int half = (nx + 1) / 2;
    size_t cells = (size_t)half * ny;
    double* scratch = nullptr;
    cudaMalloc(&scratch, 10 * cells * sizeof(double));
    Planes planes;
    for (int colour = 0; colour < 2; ++colour) {
        double* s = scratch + 5 * colour * cells;
        planes.colour[colour] = Plane{s, s + cells, s + 2 * cells, s + 3 * cells, s + 4 * cells};
    }
    dim3 block(kBlockX, kBlockY), all((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1);
    split<<<all, block>>>(nx, ny, half, omega, kx, ky, rhs, solid, p, planes);
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve, kBlockX * kBlockY, 0);
    int tiles = ((half - 1) / kBlockX + 1) * ((ny - 1) / kBlockY + 1);
    int blocks = tiles < processors * resident ? tiles : processors * resident;
    void* arguments[] = {&nx, &ny, &half, &sweeps, &planes};
    cudaLaunchCooperativeKernel((void*)solve, dim3(blocks), block, arguments, 0, nullptr);
    join<<<all, block>>>(nx, ny, half, planes, p);
    cudaFree(scratch);
}
