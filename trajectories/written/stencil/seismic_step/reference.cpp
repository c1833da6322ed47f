// Acoustic wave, second order in time and eighth in space, with a sponge at the rim.
#include <cstddef>

void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                  const float* damp_z, const float* speed2, const float* now, float* before) {
    auto at = [&](int x, int y, int z) {
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return 0.0f;
        return now[((size_t)z * ny + y) * nx + x];
    };
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                float laplacian = 3.0f * weight[0] * at(x, y, z);
                for (int r = 1; r <= 4; ++r) {
                    float ring = at(x - r, y, z) + at(x + r, y, z) + at(x, y - r, z) + at(x, y + r, z) +
                                 at(x, y, z - r) + at(x, y, z + r);
                    laplacian += weight[r] * ring;
                }
                size_t c = ((size_t)z * ny + y) * nx + x;
                float damp = damp_x[x] * damp_y[y] * damp_z[z];
                before[c] = damp * (2.0f * now[c] - damp * before[c] + speed2[c] * laplacian);
            }
        }
    }
}
