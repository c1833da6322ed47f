#include <cstdint>

struct Magnet {
    int32_t focus, bend;
};

struct Ray {
    int32_t x, px, y, py;
};

// A product of numbers with 16 bits behind the point.
static int32_t times(int32_t a, int32_t b) { return (int32_t)(((int64_t)a * b) >> 16); }

static bool is_inside(const Ray& r, int32_t aperture) {
    return (int64_t)r.x * r.x + (int64_t)r.y * r.y < (int64_t)aperture * aperture;
}

// A drift of half the element, its kick, and the other half.
static void pass(int32_t length, const Magnet& m, Ray& r) {
    r.x += times(length / 2, r.px);
    r.y += times(length / 2, r.py);
    const int32_t across = times(r.x, r.x) - times(r.y, r.y);
    r.px -= times(length, times(m.focus, r.x) + times(m.bend, across));
    r.py += times(length, times(m.focus, r.y) + 2 * times(m.bend, times(r.x, r.y)));
    r.x += times(length / 2, r.px);
    r.y += times(length / 2, r.py);
}

void beam_line(int rays, int elements, int turns, const int32_t* length, const int32_t* aperture, const Magnet* magnet, Ray* ray,
               int32_t* lost_at) {
    for (int i = 0; i < rays; ++i) {
        Ray r = ray[i];
        int passed = 0;
        while (passed < turns * elements) {
            const int e = passed % elements;
            if (!is_inside(r, aperture[e])) break;
            pass(length[e], magnet[e], r);
            ++passed;
        }
        ray[i] = r;
        lost_at[i] = passed < turns * elements ? passed : -1;
    }
}
