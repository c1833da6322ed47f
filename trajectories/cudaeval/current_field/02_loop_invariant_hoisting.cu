// Wires: a wire's middle and its current times its direction are found once, and read as pairs of four floats.
#include <cuda_runtime.h>

struct Point { float x, y, z; };
struct Wire { float px, py, pz, qx, qy, qz, current; };

// lengths are not negative, so that their bit patterns are in order
__device__ void note(float own, float* strongest) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(strongest), __float_as_int(own));
}

__global__ void prepare(int wires, const Wire* wire, float4* ready) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= wires) return;
    const Wire own = wire[w];
    ready[2 * w] = make_float4((own.px + own.qx) / 2, (own.py + own.qy) / 2, (own.pz + own.qz) / 2, 0);
    ready[2 * w + 1] = make_float4((own.qx - own.px) * own.current, (own.qy - own.py) * own.current, (own.qz - own.pz) * own.current, 0);
}

__global__ void sum(int probes, int wires, const Point* __restrict__ probe, const float4* __restrict__ ready, Point* __restrict__ field, float* strongest) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const Point at = k < probes ? probe[k] : Point{0, 0, 0};
    float x = 0, y = 0, z = 0;
    for (int w = 0; w < wires && k < probes; ++w) {
        const float4 m = ready[2 * w], d = ready[2 * w + 1];
        const float rx = at.x - m.x, ry = at.y - m.y, rz = at.z - m.z;
        const float root = rsqrtf(rx * rx + ry * ry + rz * rz + 0.05f), share = root * root * root;
        x += (d.y * rz - d.z * ry) * share;
        y += (d.z * rx - d.x * rz) * share;
        z += (d.x * ry - d.y * rx) * share;
    }
    if (k < probes) field[k] = {x, y, z};
    note(sqrtf(x * x + y * y + z * z), strongest);
}

extern "C" void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    float4* ready = nullptr;
    cudaMallocAsync(&ready, 2 * sizeof(float4) * wires, 0);
    cudaMemsetAsync(strongest, 0, sizeof(float));
    prepare<<<(wires + 127) / 128, 128>>>(wires, wire, ready);
    sum<<<(probes + 127) / 128, 128>>>(probes, wires, probe, ready, field, strongest);
    cudaFreeAsync(ready, 0);
}
