// Wires: a squared distance is the two squares less twice the product, three fused products in place of three differences and three products.
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

__global__ void sum(int probes, int wires, const Point* __restrict__ probe, const Wire* __restrict__ wire, Point* __restrict__ field, float* strongest) {
    __shared__ float4 middle[128], way[128], turn[128];
    const int k = blockIdx.x * 256 + threadIdx.x, l = k + 128;
    const Point a = probe[min(k, probes - 1)], b = probe[min(l, probes - 1)];
    const float own_a = a.x * a.x + a.y * a.y + a.z * a.z, own_b = b.x * b.x + b.y * b.y + b.z * b.z;
    Sums sum_a, sum_b;
    for (int from = 0; from < wires; from += 128) {
        const int count = min(128, wires - from);
        __syncthreads();
        if (threadIdx.x < count) {
            const Wire own = wire[from + threadIdx.x];
            const float mx = (own.px + own.qx) / 2, my = (own.py + own.qy) / 2, mz = (own.pz + own.qz) / 2;
            const float dx = (own.qx - own.px) * own.current, dy = (own.qy - own.py) * own.current, dz = (own.qz - own.pz) * own.current;
            middle[threadIdx.x] = make_float4(-2 * mx, -2 * my, -2 * mz, mx * mx + my * my + mz * mz + 0.05f);
            way[threadIdx.x] = make_float4(dx, dy, dz, 0);
            turn[threadIdx.x] = make_float4(my * dz - mz * dy, mz * dx - mx * dz, mx * dy - my * dx, 0);
        }
        __syncthreads();
        for (int w = 0; w < count; ++w) {
            const float4 m = middle[w], d = way[w], c = turn[w];
            add(sum_a, a, own_a, m, d, c);
            add(sum_b, b, own_b, m, d, c);
        }
    }
    const Point first = field_of(sum_a, a), second = field_of(sum_b, b);
    if (k < probes) field[k] = first;
    if (l < probes) field[l] = second;
    const float one = first.x * first.x + first.y * first.y + first.z * first.z, two = second.x * second.x + second.y * second.y + second.z * second.z;
    note(sqrtf(fmaxf(k < probes ? one : 0.0f, l < probes ? two : 0.0f)), strongest);
}

extern "C" void current_field(int probes, int wires, const Point* probe, const Wire* wire, Point* field, float* strongest) {
    cudaMemsetAsync(strongest, 0, sizeof(float));
    sum<<<(probes + 255) / 256, 128>>>(probes, wires, probe, wire, field, strongest);
}
