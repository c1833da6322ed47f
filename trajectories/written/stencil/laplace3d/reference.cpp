// One explicit diffusion step with the seven-point stencil; the boundary is kept.
#include <cstddef>

void laplace3d(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out) {
    const size_t row = nx, plane = (size_t)nx * ny;
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                size_t i = z * plane + y * row + x;
                bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
                if (inside) {
                    float sum = in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane];
                    out[i] = center * in[i] + neighbour * sum;
                } else {
                    out[i] = in[i];
                }
            }
        }
    }
}
