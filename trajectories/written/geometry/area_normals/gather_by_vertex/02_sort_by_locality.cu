// Area-weighted vertex normals; triangles are listed by vertex, then one thread per vertex sums its list.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void count(int entries, const int* corner, int* degree) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e < entries) atomicAdd(degree + corner[e], 1);
}

__global__ void reserve(int vertices, const int* degree, int* first, int* position, int* reserved) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v < vertices) first[v] = position[v] = atomicAdd(reserved, degree[v]);
}

__global__ void fill(int entries, const int* corner, int* place, int* face_of) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e < entries) face_of[atomicAdd(place + corner[e], 1)] = e / 3;
}

__device__ float3 area_vector(const int* abc, const float* position) {
    const float* a = position + 3 * (size_t)abc[0];
    const float* b = position + 3 * (size_t)abc[1];
    const float* c = position + 3 * (size_t)abc[2];
    const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const float vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    return {0.5f * (uy * vz - uz * vy), 0.5f * (uz * vx - ux * vz), 0.5f * (ux * vy - uy * vx)};
}

__global__ void sum_faces(int vertices, const int* corner, const float* position, const int* first, const int* degree,
                          const int* face_of, float* normal) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    float3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = first[v]; k < first[v] + degree[v]; ++k) {
        const float3 n = area_vector(corner + 3 * (size_t)face_of[k], position);
        sum = {sum.x + n.x, sum.y + n.y, sum.z + n.z};
    }
    float* to = normal + 3 * (size_t)v;
    to[0] = sum.x;
    to[1] = sum.y;
    to[2] = sum.z;
}

extern "C" void area_normals(int vertices, int faces, const int* corner, const float* position, float* normal) {
    const int entries = 3 * faces;
    const int entry_blocks = (entries - 1) / kThreads + 1, vertex_blocks = (vertices - 1) / kThreads + 1;
    int* scratch = nullptr;
    cudaMalloc(&scratch, (3 * (size_t)vertices + 1 + entries) * sizeof(int));
    int *degree = scratch, *reserved = degree + vertices, *first = reserved + 1, *place = first + vertices;
    int* face_of = place + vertices;
    cudaMemsetAsync(scratch, 0, ((size_t)vertices + 1) * sizeof(int));
    count<<<entry_blocks, kThreads>>>(entries, corner, degree);
    reserve<<<vertex_blocks, kThreads>>>(vertices, degree, first, place, reserved);
    fill<<<entry_blocks, kThreads>>>(entries, corner, place, face_of);
    sum_faces<<<vertex_blocks, kThreads>>>(vertices, corner, position, first, degree, face_of, normal);
    cudaFree(scratch);
}
