// shape: a = nz * ny * nx
// shape: b = nz * ny * nx
// check: nx=3,ny=3,nz=3; nx=20,ny=6,nz=5; nx=5,ny=9,nz=10
void stencil_27(int nx, int ny, int nz, const float* a, float* b) {
    for (int z = 1; z < nz - 1; z++)
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                float s = 0.0f;
                for (int dz = -1; dz <= 1; dz++)
                    for (int dy = -1; dy <= 1; dy++)
                        for (int dx = -1; dx <= 1; dx++) s += a[((z + dz) * ny + (y + dy)) * nx + (x + dx)];
                b[(z * ny + y) * nx + x] = s * (1.0f / 27.0f);
            }
}
