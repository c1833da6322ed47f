#include <cstdint>

struct Camera {
    const int32_t* m;
    const uint8_t* picture;
    int width;

    // Whether the camera allows the voxel: its silhouette has it, or it is out of sight.
    bool allows(int x, int y, int z) const
    {
        const int u = along(m, x, y, z), v = along(m + 4, x, y, z);
        if (u < 0 || v < 0 || u >= width || v >= width) return true;
        return picture[v * width + u] != 0;
    }

private:
    int along(const int32_t* row, int x, int y, int z) const
    {
        const int dot = row[0] * x + row[1] * y + row[2] * z + row[3] * 4;
        return (dot >> 6) + width / 2;
    }
};

void carve_voxels(int n, int cameras, int width, const int32_t* m, const uint8_t* silhouette, uint8_t* solid, int32_t* filled)
{
    *filled = 0;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                bool stays = true;
                for (int c = 0; c < cameras && stays; ++c) {
                    const Camera camera{m + 8 * c, silhouette + (long)c * width * width, width};
                    stays = camera.allows(2 * i + 1 - n, 2 * j + 1 - n, 2 * k + 1 - n);
                }
                solid[((long)k * n + j) * n + i] = stays;
                *filled += stays;
            }
}
