// Halo packing: one launch per face, one thread per cell of the face's box.
#include <cuda_runtime.h>

struct Box {
    int z0, y0, x0, depth, height, width;  // in interior cells
};

struct Layout {
    int nz, ny, nx, ghost;

    __device__ size_t at(int f, int z, int y, int x) const {
        size_t row = ((size_t)f * (nz + 2 * ghost) + z + ghost) * (ny + 2 * ghost) + y + ghost;
        return row * (nx + 2 * ghost) + x + ghost;
    }
};

__global__ void pack_box(int count, Layout layout, Box box, const double* fields, double* buffer) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = blockIdx.z;  // field and z
    if (x >= box.width || y >= box.height) return;
    int f = plane / box.depth, z = plane % box.depth;
    size_t to = ((size_t)plane * box.height + y) * box.width + x;
    buffer[to] = fields[layout.at(f, box.z0 + z, box.y0 + y, box.x0 + x)];
}

extern "C" void halo_pack(int count, int nz, int ny, int nx, int ghost, const double* fields, double* west,
                          double* east, double* south, double* north, double* bottom, double* top) {
    Layout layout{nz, ny, nx, ghost};
    const Box boxes[6] = {{0, 0, 0, nz, ny, ghost},  {0, 0, nx - ghost, nz, ny, ghost},
                          {0, 0, 0, nz, ghost, nx},  {0, ny - ghost, 0, nz, ghost, nx},
                          {0, 0, 0, ghost, ny, nx},  {nz - ghost, 0, 0, ghost, ny, nx}};
    double* const buffers[6] = {west, east, south, north, bottom, top};
    for (int face = 0; face < 6; ++face) {
        Box box = boxes[face];
        dim3 block(32, 8);
        dim3 grid((box.width - 1) / block.x + 1, (box.height - 1) / block.y + 1, count * box.depth);
        pack_box<<<grid, block>>>(count, layout, box, fields, buffers[face]);
    }
}
