// Area-weighted vertex normals, one thread per triangle with nine atomic additions.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void add_faces(int faces, const int* corner, const float* position, float* normal) {
    int f = blockIdx.x * kThreads + threadIdx.x;
    if (f >= faces) return;
    const int* abc = corner + 3 * (size_t)f;
    const float* a = position + 3 * (size_t)abc[0];
    const float* b = position + 3 * (size_t)abc[1];
    const float* c = position + 3 * (size_t)abc[2];
    const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const float vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    const float nx = 0.5f * (uy * vz - uz * vy), ny = 0.5f * (uz * vx - ux * vz), nz = 0.5f * (ux * vy - uy * vx);
    for (int i = 0; i < 3; ++i) {
        float* to = normal + 3 * (size_t)abc[i];
        atomicAdd(to, nx);
        atomicAdd(to + 1, ny);
        atomicAdd(to + 2, nz);
    }
}

extern "C" void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    cudaMemsetAsync(normal, 0, 3 * (size_t)vertices * sizeof(float));
    add_faces<<<(faces - 1) / kThreads + 1, kThreads>>>(faces, corner, position, normal);
}
