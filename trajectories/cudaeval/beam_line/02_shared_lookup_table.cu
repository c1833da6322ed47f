// Beam line: the elements are in shared memory, sixteen bytes each, and a counter takes the place of the remainder.
#include <cuda_runtime.h>

#include <cstdint>

struct Magnet {
    int32_t focus, bend;
};

struct Ray {
    int32_t x, px, y, py;
};

__device__ int32_t times(int32_t a, int32_t b) { return (int32_t)(((int64_t)a * b) >> 16); }

__device__ bool is_inside(const Ray& r, int32_t aperture) {
    return (int64_t)r.x * r.x + (int64_t)r.y * r.y < (int64_t)aperture * aperture;
}

// A drift of half the element, its kick, and the other half.
__device__ void pass(int32_t length, int32_t focus, int32_t bend, Ray& r) {
    r.x += times(length / 2, r.px);
    r.y += times(length / 2, r.py);
    const int32_t across = times(r.x, r.x) - times(r.y, r.y);
    r.px -= times(length, times(focus, r.x) + times(bend, across));
    r.py += times(length, times(focus, r.y) + 2 * times(bend, times(r.x, r.y)));
    r.x += times(length / 2, r.px);
    r.y += times(length / 2, r.py);
}

__global__ void follow(int rays, int elements, int turns, const int32_t* __restrict__ length, const int32_t* __restrict__ aperture,
                       const Magnet* __restrict__ magnet, Ray* __restrict__ ray, int32_t* __restrict__ lost_at) {
    extern __shared__ int4 line[];  // length, focus, bend, aperture
    for (int k = threadIdx.x; k < elements; k += blockDim.x) line[k] = {length[k], magnet[k].focus, magnet[k].bend, aperture[k]};
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    Ray r = ray[i];
    int passed = 0;
    for (int next = 0; passed < turns * elements; ++passed) {
        const int4 e = line[next];
        if (!is_inside(r, e.w)) break;
        pass(e.x, e.y, e.z, r);
        if (++next == elements) next = 0;
    }
    ray[i] = r;
    lost_at[i] = passed < turns * elements ? passed : -1;
}

extern "C" void beam_line(int rays, int elements, int turns, const int32_t* length, const int32_t* aperture, const Magnet* magnet, Ray* ray,
                          int32_t* lost_at) {
    follow<<<(rays + 127) / 128, 128, sizeof(int4) * elements>>>(rays, elements, turns, length, aperture, magnet, ray, lost_at);
}
