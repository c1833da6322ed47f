// One explicit time step of the heat equation on a 3-D grid with fixed temperature on the boundary.
// `next` holds the boundary values already; only the inside is written.
void heat_step(int nx, int ny, int nz, float rate, const float* now, float* next) {
    for (int z = 1; z < nz - 1; z++) {
        for (int y = 1; y < ny - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                float here = now[(z * ny + y) * nx + x];
                float around = now[(z * ny + y) * nx + x - 1] + now[(z * ny + y) * nx + x + 1] +
                               now[(z * ny + y - 1) * nx + x] + now[(z * ny + y + 1) * nx + x] +
                               now[((z - 1) * ny + y) * nx + x] + now[((z + 1) * ny + y) * nx + x];
                next[(z * ny + y) * nx + x] = here + rate * (around - 6.0f * here);
            }
        }
    }
}
