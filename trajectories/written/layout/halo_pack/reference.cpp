// Contiguous copies of the interior layers at the six faces of a block of cells.
#include <cstddef>

namespace {

struct Block {
    int nz, ny, nx, ghost;
    const double* cells;

    // Copies the box of interior cells that starts at (z0, y0, x0); returns where the next box goes.
    double* pack(double* to, int z0, int y0, int x0, int depth, int height, int width) const {
        const size_t pitch = nx + 2 * ghost, slab = pitch * (ny + 2 * ghost);
        for (int z = z0; z < z0 + depth; ++z)
            for (int y = y0; y < y0 + height; ++y) {
                const double* row = cells + (z + ghost) * slab + (y + ghost) * pitch + ghost + x0;
                for (int x = 0; x < width; ++x) *to++ = row[x];
            }
        return to;
    }
};

}  // namespace

void halo_pack(int count, int nz, int ny, int nx, int ghost, const double* fields, double* west, double* east,
               double* south, double* north, double* bottom, double* top) {
    Block block{nz, ny, nx, ghost, fields};
    const size_t volume = (size_t)(nz + 2 * ghost) * (ny + 2 * ghost) * (nx + 2 * ghost);
    for (int f = 0; f < count; ++f, block.cells += volume) {
        west = block.pack(west, 0, 0, 0, nz, ny, ghost);
        east = block.pack(east, 0, 0, nx - ghost, nz, ny, ghost);
        south = block.pack(south, 0, 0, 0, nz, ghost, nx);
        north = block.pack(north, 0, ny - ghost, 0, nz, ghost, nx);
        bottom = block.pack(bottom, 0, 0, 0, ghost, ny, nx);
        top = block.pack(top, nz - ghost, 0, 0, ghost, ny, nx);
    }
}
