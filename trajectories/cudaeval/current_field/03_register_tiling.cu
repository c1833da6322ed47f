// Wires: a thread has two probes, half a block apart, so that a wire read from shared memory serves both.
#include <cuda_runtime.h>

struct Point { float x, y, z; };
struct Wire { float px, py, pz, qx, qy, qz, current; };

// lengths are not negative, so that their bit patterns are in order
__device__ void note(float own, float* strongest) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(strongest), __float_as_int(own));
}

__device__ void add(Point& sum, Point at, float4 m, float4 d) {
    const float rx = at.x - m.x, ry = at.y - m.y, rz = at.z - m.z;
    const float root = rsqrtf(rx * rx + ry * ry + rz * rz + 0.05f), share = root * root * root;
    sum.x += (d.y * rz - d.z * ry) * share;
    sum.y += (d.z * rx - d.x * rz) * share;
    sum.z += (d.x * ry - d.y * rx) * share;
}

__global__ void sum(int probes, int wires, const Point* __restrict__ probe, const Wire* __restrict__ wire, Point* __restrict__ field, float* strongest) {
    __shared__ float4 middle[128], way[128];
    const int k = blockIdx.x * 256 + threadIdx.x, l = k + 128;
    const Point a = probe[min(k, probes - 1)], b = probe[min(l, probes - 1)];
    Point sum_a = {0, 0, 0}, sum_b = {0, 0, 0};
    for (int from = 0; from < wires; from += 128) {
        const int count = min(128, wires - from);
        __syncthreads();
        if (threadIdx.x < count) {
            const Wire own = wire[from + threadIdx.x];
            middle[threadIdx.x] = make_float4((own.px + own.qx) / 2, (own.py + own.qy) / 2, (own.pz + own.qz) / 2, 0);
            way[threadIdx.x] = make_float4((own.qx - own.px) * own.current, (own.qy - own.py) * own.current, (own.qz - own.pz) * own.current, 0);
        }
        __syncthreads();
        for (int w = 0; w < count; ++w) {
            const float4 m = middle[w], d = way[w];
            add(sum_a, a, m, d);
            add(sum_b, b, m, d);
        }
    }
    if (k < probes) field[k] = sum_a;
    if (l < probes) field[l] = sum_b;
    const float first = sum_a.x * sum_a.x + sum_a.y * sum_a.y + sum_a.z * sum_a.z, second = sum_b.x * sum_b.x + sum_b.y * sum_b.y + sum_b.z * sum_b.z;
    note(sqrtf(fmaxf(k < probes ? first : 0.0f, l < probes ? second : 0.0f)), strongest);
}

extern "C" void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    cudaMemsetAsync(strongest, 0, sizeof(float));
    sum<<<(probes + 255) / 256, 128>>>(probes, wires, probe, wire, field, strongest);
}
