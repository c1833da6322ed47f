// Rays: the normal e1 x e2 of a triangle is taken once for all rays, so that det and w are dot products with it; u and v share s x direction, and far tests come only when det is positive.
#include <cuda_runtime.h>

#include <cstdint>

struct Ray { int32_t x, y, z, dx, dy, dz; };
struct Triangle { int32_t ax, ay, az, bx, by, bz, cx, cy, cz; };

// a / b < c / d for values that are not negative, products taken in 128 bits
__device__ bool below(long long a, long long b, long long c, long long d) {
    const unsigned long long high = __umul64hi(a, d), other = __umul64hi(c, b);
    return high != other ? high < other : (unsigned long long)a * d < (unsigned long long)c * b;
}

__global__ void trace(int rays, int triangles, const Ray* __restrict__ ray, const Triangle* __restrict__ triangle, int* __restrict__ hit, int* seen) {
    __shared__ int tile[64][12];
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const Ray own = r < rays ? ray[r] : Ray{0, 0, 0, 0, 0, 0};
    long long best_w = 0, best_det = 0;
    int best = -1;
    for (int from = 0; from < triangles; from += 64) {
        const int count = min(64, triangles - from);
        for (int k = threadIdx.x; k < count; k += blockDim.x) {
            const Triangle t = triangle[from + k];
            const int ux = t.bx - t.ax, uy = t.by - t.ay, uz = t.bz - t.az, vx = t.cx - t.ax, vy = t.cy - t.ay, vz = t.cz - t.az;
            const int values[12] = {t.ax, t.ay, t.az, ux, uy, uz, vx, vy, vz, uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
            for (int e = 0; e < 12; ++e) tile[k][e] = values[e];
        }
        __syncthreads();
        for (int k = 0; k < count && r < rays; ++k) {
            const int* t = tile[k];
            const long long det = -((long long)own.dx * t[9] + (long long)own.dy * t[10] + (long long)own.dz * t[11]);
            if (det <= 0) continue;
            const int sx = own.x - t[0], sy = own.y - t[1], sz = own.z - t[2];
            const long long w = (long long)sx * t[9] + (long long)sy * t[10] + (long long)sz * t[11];
            if (w < 0) continue;
            const long long mx = (long long)sy * own.dz - (long long)sz * own.dy, my = (long long)sz * own.dx - (long long)sx * own.dz;
            const long long mz = (long long)sx * own.dy - (long long)sy * own.dx;
            const long long u = t[6] * mx + t[7] * my + t[8] * mz, v = -(t[3] * mx + t[4] * my + t[5] * mz);
            if (u < 0 || v < 0 || u + v > det) continue;
            if (best < 0 || below(w, det, best_w, best_det)) best = from + k, best_w = w, best_det = det;
        }
        __syncthreads();
    }
    if (r >= rays) return;
    hit[r] = best;
    if (best >= 0) atomicAdd(&seen[best], 1);
}

extern "C" void ray_triangles(int rays, int triangles, const Ray* ray, const Triangle* triangle, int32_t* hit, int32_t* seen) {
    cudaMemsetAsync(seen, 0, sizeof(int32_t) * triangles);
    trace<<<(rays + 127) / 128, 128>>>(rays, triangles, ray, triangle, hit, seen);
}
