#include <cstddef>

struct Particle {
    float x, y, z;  // within its cell
    float mass;
};

struct Grid {
    int gz, gy, gx;
    const int* count;
    const Particle* particle;

    bool has(int z, int y, int x) const { return z >= 0 && z < gz && y >= 0 && y < gy && x >= 0 && x < gx; }
    size_t cell(int z, int y, int x) const { return ((size_t)z * gy + y) * gx + x; }
};

// What the particles of the cell (dz, dy, dx) further add to the density at p.
static float added(const Particle& p, const Particle* others, int count, int dz, int dy, int dx) {
    float sum = 0;
    for (int k = 0; k < count; ++k) {
        float x = others[k].x + dx - p.x, y = others[k].y + dy - p.y, z = others[k].z + dz - p.z;
        float r2 = x * x + y * y + z * z;
        if (r2 >= 1.0f) continue;
        float w = 1.0f - r2;
        sum += others[k].mass * w * w * w;
    }
    return sum;
}

void sph_density(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const Grid grid = {gz, gy, gx, count, particle};
    for (int z = 0; z < gz; ++z) {
        for (int y = 0; y < gy; ++y) {
            for (int x = 0; x < gx; ++x) {
                const size_t own = grid.cell(z, y, x);
                for (int k = 0; k < 16; ++k) {
                    float sum = 0;
                    for (int n = 0; n < 27 && k < count[own]; ++n) {
                        int dz = n / 9 - 1, dy = n / 3 % 3 - 1, dx = n % 3 - 1;
                        if (!grid.has(z + dz, y + dy, x + dx)) continue;
                        const size_t other = grid.cell(z + dz, y + dy, x + dx);
                        sum += added(particle[16 * own + k], particle + 16 * other, count[other], dz, dy, dx);
                    }
                    density[16 * own + k] = sum;
                }
            }
        }
    }
}
