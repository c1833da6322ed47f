// Area-weighted vertex normals, two triangles per thread, padded positions.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kFaces = 2;  // per thread

__global__ void pad_and_clear(int vertices, const float* position, float4* padded, float* normal) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    const float* p = position + 3 * (size_t)v;
    padded[v] = {p[0], p[1], p[2], 0.0f};
    float* sum = normal + 3 * (size_t)v;
    sum[0] = sum[1] = sum[2] = 0.0f;
}

__global__ void add_faces(int faces, const int* corner, const float4* position, float* normal) {
    const int f0 = blockIdx.x * kThreads * kFaces + threadIdx.x;
    int abc[kFaces][3];
    float4 at[kFaces][3];
#pragma unroll
    for (int k = 0; k < kFaces; ++k) {
        const int f = min(f0 + k * kThreads, faces - 1);  // a triangle past the end is loaded but not added
#pragma unroll
        for (int i = 0; i < 3; ++i) abc[k][i] = corner[3 * (size_t)f + i];
    }
#pragma unroll
    for (int k = 0; k < kFaces; ++k)
#pragma unroll
        for (int i = 0; i < 3; ++i) at[k][i] = position[abc[k][i]];
#pragma unroll
    for (int k = 0; k < kFaces; ++k) {
        if (f0 + k * kThreads >= faces) return;
        const float4 a = at[k][0], b = at[k][1], c = at[k][2];
        const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
        const float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
        const float nx = 0.5f * (uy * vz - uz * vy), ny = 0.5f * (uz * vx - ux * vz), nz = 0.5f * (ux * vy - uy * vx);
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            float* to = normal + 3 * (size_t)abc[k][i];
            atomicAdd(to, nx);
            atomicAdd(to + 1, ny);
            atomicAdd(to + 2, nz);
        }
    }
}

extern "C" void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    float4* padded = nullptr;
    cudaMalloc(&padded, vertices * sizeof(float4));
    pad_and_clear<<<(vertices - 1) / kThreads + 1, kThreads>>>(vertices, position, padded, normal);
    add_faces<<<(faces - 1) / (kThreads * kFaces) + 1, kThreads>>>(faces, corner, padded, normal);
    cudaFree(padded);
}
