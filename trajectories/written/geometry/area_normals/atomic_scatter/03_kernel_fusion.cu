// Area-weighted vertex normals, one thread per triangle; one kernel pads the positions and clears the sums.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void pad_and_clear(int vertices, const float* position, float4* padded, float* normal) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    const float* p = position + 3 * (size_t)v;
    padded[v] = {p[0], p[1], p[2], 0.0f};
    float* sum = normal + 3 * (size_t)v;
    sum[0] = sum[1] = sum[2] = 0.0f;
}

__global__ void add_faces(int faces, const int* corner, const float4* position, float* normal) {
    int f = blockIdx.x * kThreads + threadIdx.x;
    if (f >= faces) return;
    const int* abc = corner + 3 * (size_t)f;
    const float4 a = position[abc[0]], b = position[abc[1]], c = position[abc[2]];
    const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    const float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const float nx = 0.5f * (uy * vz - uz * vy), ny = 0.5f * (uz * vx - ux * vz), nz = 0.5f * (ux * vy - uy * vx);
    for (int i = 0; i < 3; ++i) {
        float* to = normal + 3 * (size_t)abc[i];
        atomicAdd(to, nx);
        atomicAdd(to + 1, ny);
        atomicAdd(to + 2, nz);
    }
}

extern "C" void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    float4* padded = nullptr;
    cudaMalloc(&padded, vertices * sizeof(float4));
    pad_and_clear<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, position, padded, normal);
    add_faces<<<(faces - 1) / kThreads + 1, kThreads>>>(faces, corner, padded, normal);
    cudaFree(padded);
}
