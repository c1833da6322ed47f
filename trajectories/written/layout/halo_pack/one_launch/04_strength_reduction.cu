// Halo packing: one launch, cells numbered along each face's buffer, divisions by multiplication.
#include <cuda_runtime.h>

// Quotients n / d for 0 <= n < 2^31 as high half of a product: shift is ceil(log2 d), the multiplier rounded up.
struct Divisor {
    int value;
    unsigned int multiplier;
    int shift;

    explicit Divisor(int d) : value(d), shift(0) {
        while ((1LL << shift) < d) ++shift;
        multiplier = (unsigned int)(((1ULL << (31 + shift)) + d - 1) / d);
    }

    __device__ int quotient(int n) const { return (int)((unsigned long long)n * multiplier >> (31 + shift)); }
};

struct Box {
    int z0, y0, x0;
    Divisor depth, height, width;  // in interior cells
    int cells;                             // of all fields
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

constexpr int kThreads = 256;

__global__ void pack_faces(Layout layout, Faces faces, const double* fields) {
    int face = 0;
    while (face < 5 && (int)blockIdx.x >= faces.box[face + 1].first_block) ++face;
    const Box& box = faces.box[face];
    int cell = (blockIdx.x - box.first_block) * kThreads + threadIdx.x;
    if (cell >= box.cells) return;
    int row = box.width.quotient(cell), x = cell - row * box.width.value;
    int plane = box.height.quotient(row), y = row - plane * box.height.value;
    int f = box.depth.quotient(plane), z = plane - f * box.depth.value;
    box.buffer[cell] = fields[layout.at(f, box.z0 + z, box.y0 + y, box.x0 + x)];
}

extern "C" void halo_pack(int count, int nz, int ny, int nx, int ghost, const double* fields, double* west,
                          double* east, double* south, double* north, double* bottom, double* top) {
    Layout layout{nz, ny, nx, ghost};
    const Divisor dz(nz), dy(ny), dx(nx), thick(ghost);
    Faces faces{{{0, 0, 0, dz, dy, thick, 0, 0, west},
                 {0, 0, nx - ghost, dz, dy, thick, 0, 0, east},
                 {0, 0, 0, dz, thick, dx, 0, 0, south},
                 {0, ny - ghost, 0, dz, thick, dx, 0, 0, north},
                 {0, 0, 0, thick, dy, dx, 0, 0, bottom},
                 {nz - ghost, 0, 0, thick, dy, dx, 0, 0, top}}};
    int blocks = 0;
    for (Box& box : faces.box) {
        box.cells = count * box.depth.value * box.height.value * box.width.value;
        box.first_block = blocks;
        blocks += (box.cells - 1) / kThreads + 1;
    }
    pack_faces<<<blocks, kThreads>>>(layout, faces, fields);
}
