// Beam line: one ray a thread.
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

__global__ void follow(int rays, int elements, int turns, const int32_t* length, const int32_t* aperture, const Magnet* magnet, Ray* ray,
                       int32_t* lost_at) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    Ray r = ray[i];
    int passed = 0;
    while (passed < turns * elements) {
        const int e = passed % elements;
        if (!is_inside(r, aperture[e])) break;
        pass(length[e], magnet[e].focus, magnet[e].bend, r);
        ++passed;
    }
    ray[i] = r;
    lost_at[i] = passed < turns * elements ? passed : -1;
}

extern "C" void beam_line(int rays, int elements, int turns, const int32_t* length, const int32_t* aperture, const Magnet* magnet, Ray* ray,
                          int32_t* lost_at) {
    follow<<<(rays + 127) / 128, 128>>>(rays, elements, turns, length, aperture, magnet, ray, lost_at);
}
