// Wires: one probe a thread.
#include <cuda_runtime.h>

struct Point { float x, y, z; };
struct Wire { float px, py, pz, qx, qy, qz, current; };

// lengths are not negative, so that their bit patterns are in order
__device__ void note(float own, float* strongest) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(strongest), __float_as_int(own));
}

__global__ void sum(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0, y = 0, z = 0;
    for (int w = 0; w < wires && k < probes; ++w) {
        const Wire own = wire[w];
        const float dx = own.qx - own.px, dy = own.qy - own.py, dz = own.qz - own.pz;
        const float rx = probe[k].x - (own.px + own.qx) / 2, ry = probe[k].y - (own.py + own.qy) / 2, rz = probe[k].z - (own.pz + own.qz) / 2;
        const float away = rx * rx + ry * ry + rz * rz + 0.05f, share = own.current / (away * sqrtf(away));
        x += (dy * rz - dz * ry) * share;
        y += (dz * rx - dx * rz) * share;
        z += (dx * ry - dy * rx) * share;
    }
    if (k < probes) field[k] = {x, y, z};
    note(sqrtf(x * x + y * y + z * z), strongest);
}

extern "C" void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    cudaMemsetAsync(strongest, 0, sizeof(float));
    sum<<<(probes + 127) / 128, 128>>>(probes, wires, probe, wire, field, strongest);
}
