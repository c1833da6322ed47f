// Rays: one ray a thread goes through all triangles in 64 bits.
#include <cuda_runtime.h>

#include <cstdint>

struct Ray { int32_t x, y, z, dx, dy, dz; };
struct Triangle { int32_t ax, ay, az, bx, by, bz, cx, cy, cz; };

// a / b < c / d for values that are not negative, products taken in 128 bits
__device__ bool below(long long a, long long b, long long c, long long d) {
    const unsigned long long high = __umul64hi(a, d), other = __umul64hi(c, b);
    return high != other ? high < other : (unsigned long long)a * d < (unsigned long long)c * b;
}

struct Vector { long long x, y, z; };

__device__ Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
__device__ long long dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void trace(int rays, int triangles, const Ray* ray, const Triangle* triangle, int* hit, int* seen) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rays) return;
    const Vector d = {ray[r].dx, ray[r].dy, ray[r].dz};
    long long best_w = 0, best_det = 0;
    int best = -1;
    for (int k = 0; k < triangles; ++k) {
        const Triangle t = triangle[k];
        const Vector e1 = {t.bx - t.ax, t.by - t.ay, t.bz - t.az}, e2 = {t.cx - t.ax, t.cy - t.ay, t.cz - t.az};
        const Vector s = {ray[r].x - t.ax, ray[r].y - t.ay, ray[r].z - t.az}, p = cross(d, e2), q = cross(s, e1);
        const long long det = dot(e1, p), u = dot(s, p), v = dot(d, q), w = dot(e2, q);
        if (det <= 0 || u < 0 || v < 0 || u + v > det || w < 0) continue;
        if (best < 0 || below(w, det, best_w, best_det)) best = k, best_w = w, best_det = det;
    }
    hit[r] = best;
    if (best >= 0) atomicAdd(&seen[best], 1);
}

extern "C" void ray_triangles(int rays, int triangles, const Ray* ray, const Triangle* triangle, int32_t* hit, int32_t* seen) {
    cudaMemsetAsync(seen, 0, sizeof(int32_t) * triangles);
    trace<<<(rays + 127) / 128, 128>>>(rays, triangles, ray, triangle, hit, seen);
}
