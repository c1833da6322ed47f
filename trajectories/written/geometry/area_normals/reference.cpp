// Area vectors of triangles, summed at their corners.
#include <cstddef>

void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    for (size_t i = 0; i < 3 * (size_t)vertices; ++i) normal[i] = 0.0f;
    for (int f = 0; f < faces; ++f) {
        const int* abc = corner + 3 * (size_t)f;
        const float* a = position + 3 * (size_t)abc[0];
        const float* b = position + 3 * (size_t)abc[1];
        const float* c = position + 3 * (size_t)abc[2];
        const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
        const float vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
        const float nx = 0.5f * (uy * vz - uz * vy), ny = 0.5f * (uz * vx - ux * vz), nz = 0.5f * (ux * vy - uy * vx);
        for (int i = 0; i < 3; ++i) {
            float* to = normal + 3 * (size_t)abc[i];
            to[0] += nx;
            to[1] += ny;
            to[2] += nz;
        }
    }
}
