// Area-weighted vertex normals; lists by vertex in stretches that whole blocks reserve after a scan of their
// degrees.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void count(int entries, const int* corner, int* degree) {
    int e = blockIdx.x * kThreads + threadIdx.x;
    if (e < entries) atomicAdd(degree + corner[e], 1);
}

__global__ void reserve(int vertices, const int* degree, int* first, int* position, int* reserved) {
    __shared__ int warp_total[kThreads / 32], base;
    const int t = threadIdx.x, v = blockIdx.x * kThreads + t, lane = t % 32, warp = t / 32;
    const int own = v < vertices ? degree[v] : 0;
    int upto = own;
    for (int distance = 1; distance < 32; distance *= 2) {
        int before = __shfl_up_sync(0xffffffffu, upto, distance);
        if (lane >= distance) upto += before;
    }
    if (lane == 31) warp_total[warp] = upto;
    __syncthreads();
    int start = 0, total = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < warp) start += warp_total[w];
        total += warp_total[w];
    }
    if (t == 0) base = atomicAdd(reserved, total);
    __syncthreads();
    if (v < vertices) first[v] = position[v] = base + start + upto - own;
}

__device__ float3 area_vector(const int* abc, const float* position) {
    const float* a = position + 3 * (size_t)abc[0];
    const float* b = position + 3 * (size_t)abc[1];
    const float* c = position + 3 * (size_t)abc[2];
    const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const float vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    return {0.5f * (uy * vz - uz * vy), 0.5f * (uz * vx - ux * vz), 0.5f * (ux * vy - uy * vx)};
}

__global__ void fill(int faces, const int* corner, const float* position, int* place, float4* area) {
    int f = blockIdx.x * kThreads + threadIdx.x;
    if (f >= faces) return;
    const int* abc = corner + 3 * (size_t)f;
    const float3 n = area_vector(abc, position);
    for (int i = 0; i < 3; ++i) area[atomicAdd(place + abc[i], 1)] = {n.x, n.y, n.z, 0.0f};
}

__global__ void sum_faces(int vertices, const float4* area, const int* first, const int* degree, float* normal) {
    int v = blockIdx.x * kThreads + threadIdx.x;
    if (v >= vertices) return;
    float3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = first[v]; k < first[v] + degree[v]; ++k) {
        const float4 n = area[k];
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
    cudaMalloc(&scratch, (3 * (size_t)vertices + 1) * sizeof(int));
    int *degree = scratch, *reserved = degree + vertices, *first = reserved + 1, *place = first + vertices;
    float4* area = nullptr;
    cudaMalloc(&area, entries * sizeof(float4));
    cudaMemsetAsync(scratch, 0, ((size_t)vertices + 1) * sizeof(int));
    count<<<entry_blocks, kThreads>>>(entries, corner, degree);
    reserve<<<vertex_blocks, kThreads>>>(vertices, degree, first, place, reserved);
    fill<<<(faces - 1) / kThreads + 1, kThreads>>>(faces, corner, position, place, area);
    sum_faces<<<vertex_blocks, kThreads>>>(vertices, area, first, degree, normal);
    cudaFree(area);
    cudaFree(scratch);
}
