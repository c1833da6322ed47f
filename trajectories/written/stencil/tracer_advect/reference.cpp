// One upwind step of a passive tracer: fluxes through the east and north faces first, then their divergence.
#include <cstddef>
#include <vector>

void tracer_advect(int nx, int ny, float ratio, const float* q, const float* u, const float* v,
                   const unsigned char* wet, float* q_new) {
    std::vector<float> east((size_t)nx * ny, 0.0f), north((size_t)nx * ny, 0.0f);
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            size_t c = (size_t)j * nx + i;
            size_t e = (size_t)j * nx + (i + 1) % nx;
            if (wet[c] && wet[e]) {
                if (u[c] > 0.0f) east[c] = u[c] * q[c];
                else east[c] = u[c] * q[e];
            }
            if (j + 1 < ny && wet[c] && wet[c + nx]) {
                if (v[c] > 0.0f) north[c] = v[c] * q[c];
                else north[c] = v[c] * q[c + nx];
            }
        }
    }
    for (int j = 0; j < ny; ++j) {
        for (int i = 0; i < nx; ++i) {
            size_t c = (size_t)j * nx + i;
            float west = east[(size_t)j * nx + (i + nx - 1) % nx];
            float south = j > 0 ? north[c - nx] : 0.0f;
            q_new[c] = wet[c] ? q[c] - ratio * ((east[c] - west) + (north[c] - south)) : q[c];
        }
    }
}
