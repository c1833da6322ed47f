#include <cstddef>

// floor(a / 64)
static int sixty_fourth(int a) { return a >= 0 ? a / 64 : -((63 - a) / 64); }

void first_voxel(int size, int rays, const unsigned char* voxel, const int* column, const int* row, const signed char* slope_x,
                 const signed char* slope_y, int* layer) {
    for (int r = 0; r < rays; ++r) {
        int z = 0;
        int found = -1;
        while (z < size) {
            int x = column[r] + sixty_fourth(slope_x[r] * z);
            int y = row[r] + sixty_fourth(slope_y[r] * z);
            if (x < 0 || x >= size || y < 0 || y >= size) break;
            if (voxel[((size_t)z * size + y) * size + x]) {
                found = z;
                break;
            }
            ++z;
        }
        layer[r] = found;
    }
}
