// Wires: four probes a thread share three reads of shared memory and the counting of the loop.
#include <cuda_runtime.h>

struct Point { float x, y, z; };
struct Wire { float px, py, pz, qx, qy, qz, current; };

// lengths are not negative, so that their bit patterns are in order
__device__ void note(float own, float* strongest) {
    for (int apart = 16; apart > 0; apart /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffffu, own, apart));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(strongest), __float_as_int(own));
}

// The field is (sum of shares of directions) x probe + sum of shares of middle x direction.
struct Sums {
    Point way = {0, 0, 0}, turn = {0, 0, 0};
};

__device__ void add(Sums& sum, Point at, float own, float4 m, float4 d, float4 c) {
    const float away = own + m.w + at.x * m.x + at.y * m.y + at.z * m.z;  // |p|^2 + |m|^2 - 2 p m + 0.05; m has the factor - 2 in it
    const float root = rsqrtf(fmaxf(away, 0.05f)), share = root * root * root;
    sum.way.x += d.x * share, sum.way.y += d.y * share, sum.way.z += d.z * share;
    sum.turn.x += c.x * share, sum.turn.y += c.y * share, sum.turn.z += c.z * share;
}

__device__ Point field_of(const Sums& sum, Point at) {
    return {sum.way.y * at.z - sum.way.z * at.y + sum.turn.x, sum.way.z * at.x - sum.way.x * at.z + sum.turn.y,
            sum.way.x * at.y - sum.way.y * at.x + sum.turn.z};
}

constexpr int kOwn = 4;  // probes of a thread, 128 apart

__global__ void sum(int probes, int wires, const Point* __restrict__ probe, const Wire* __restrict__ wire, Point* __restrict__ field, float* strongest) {
    __shared__ float4 middle[128], way[128], turn[128];
    const int first = blockIdx.x * 128 * kOwn + threadIdx.x;
    Point at[kOwn];
    float own[kOwn];
    Sums sums[kOwn];
#pragma unroll
    for (int n = 0; n < kOwn; ++n) {
        at[n] = probe[min(first + 128 * n, probes - 1)];
        own[n] = at[n].x * at[n].x + at[n].y * at[n].y + at[n].z * at[n].z;
    }
    for (int from = 0; from < wires; from += 128) {
        const int count = min(128, wires - from);
        __syncthreads();
        if (threadIdx.x < count) {
            const Wire one = wire[from + threadIdx.x];
            const float mx = (one.px + one.qx) / 2, my = (one.py + one.qy) / 2, mz = (one.pz + one.qz) / 2;
            const float dx = (one.qx - one.px) * one.current, dy = (one.qy - one.py) * one.current, dz = (one.qz - one.pz) * one.current;
            middle[threadIdx.x] = make_float4(-2 * mx, -2 * my, -2 * mz, mx * mx + my * my + mz * mz + 0.05f);
            way[threadIdx.x] = make_float4(dx, dy, dz, 0);
            turn[threadIdx.x] = make_float4(my * dz - mz * dy, mz * dx - mx * dz, mx * dy - my * dx, 0);
        }
        __syncthreads();
#pragma unroll 2
        for (int w = 0; w < count; ++w) {
            const float4 m = middle[w], d = way[w], c = turn[w];
#pragma unroll
            for (int n = 0; n < kOwn; ++n) add(sums[n], at[n], own[n], m, d, c);
        }
    }
    float most = 0;
#pragma unroll
    for (int n = 0; n < kOwn; ++n) {
        if (first + 128 * n >= probes) continue;
        const Point all = field_of(sums[n], at[n]);
        field[first + 128 * n] = all;
        most = fmaxf(most, all.x * all.x + all.y * all.y + all.z * all.z);
    }
    note(sqrtf(most), strongest);
}

extern "C" void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    cudaMemsetAsync(strongest, 0, sizeof(float));
    sum<<<(probes + 128 * kOwn - 1) / (128 * kOwn), 128>>>(probes, wires, probe, wire, field, strongest);
}
