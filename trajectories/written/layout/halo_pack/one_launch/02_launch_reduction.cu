// Halo packing: one launch for all six faces, a table of boxes as its argument.
#include <cuda_runtime.h>

struct Box {
    int z0, y0, x0, depth, height, width;  // in interior cells
    int across, down;                      // blocks along x and y
    int first_block;
    double* buffer;
};

struct Faces {
    Box box[6];
};

struct Layout {
    int nz, ny, nx, ghost;

    __device__ size_t at(int f, int z, int y, int x) const {
        size_t row = ((size_t)f * (nz + 2 * ghost) + z + ghost) * (ny + 2 * ghost) + y + ghost;
        return row * (nx + 2 * ghost) + x + ghost;
    }
};

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void pack_faces(Layout layout, Faces faces, const double* fields) {
    int face = 0;
    while (face < 5 && (int)blockIdx.x >= faces.box[face + 1].first_block) ++face;
    const Box& box = faces.box[face];
    int block = blockIdx.x - box.first_block;
    int x = block % box.across * kBlockX + threadIdx.x;
    int y = block / box.across % box.down * kBlockY + threadIdx.y;
    int plane = block / (box.across * box.down);  // field and z
    if (x >= box.width || y >= box.height) return;
    int f = plane / box.depth, z = plane % box.depth;
    size_t to = ((size_t)plane * box.height + y) * box.width + x;
    box.buffer[to] = fields[layout.at(f, box.z0 + z, box.y0 + y, box.x0 + x)];
}

extern "C" void halo_pack(int count, int nz, int ny, int nx, int ghost, const double* fields, double* west,
                          double* east, double* south, double* north, double* bottom, double* top) {
    Layout layout{nz, ny, nx, ghost};
    Faces faces{{{0, 0, 0, nz, ny, ghost, 0, 0, 0, west},
                 {0, 0, nx - ghost, nz, ny, ghost, 0, 0, 0, east},
                 {0, 0, 0, nz, ghost, nx, 0, 0, 0, south},
                 {0, ny - ghost, 0, nz, ghost, nx, 0, 0, 0, north},
                 {0, 0, 0, ghost, ny, nx, 0, 0, 0, bottom},
                 {nz - ghost, 0, 0, ghost, ny, nx, 0, 0, 0, top}}};
    int blocks = 0;
    for (Box& box : faces.box) {
        box.across = (box.width - 1) / kBlockX + 1;
        box.down = (box.height - 1) / kBlockY + 1;
        box.first_block = blocks;
        blocks += box.across * box.down * count * box.depth;
    }
    pack_faces<<<blocks, dim3(kBlockX, kBlockY)>>>(layout, faces, fields);
}
