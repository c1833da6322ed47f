#include <cstddef>
#include <cstdint>

struct Terrain {
    int rows, cols;
    const int16_t* height;
};

// How many hours of the day the cell lies in the sun: the sun is in the shade of the first cell on its line that rises above the ray.
static uint8_t hours_of_sun(const Terrain* t, int y, int x, int hours, const int32_t* sun) {
    uint8_t seen = 0;
    for (const int32_t* s = sun; s != sun + 3 * hours; s += 3) {
        const int32_t own = t->height[(size_t)y * t->cols + x];
        int32_t step = 1;
        bool lit = true;
        while (lit) {
            // Places along the line are kept in 1/256 of a cell, rounded down.
            const int32_t v = y + ((step * s[0]) >> 8), u = x + ((step * s[1]) >> 8);
            if (v < 0 || u < 0 || v >= t->rows || u >= t->cols) break;
            const int32_t ray = own + ((step * s[2]) >> 4);
            if (ray >= 1024) break;
            lit = t->height[(size_t)v * t->cols + u] <= ray;
            ++step;
        }
        if (lit) ++seen;
    }
    return seen;
}

void sun_shadows(int rows, int cols, int hours, const int16_t* height, const int32_t* sun, uint8_t* lit) {
    const Terrain terrain = {rows, cols, height};
    uint8_t* out = lit;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < cols; ++x) *out++ = hours_of_sun(&terrain, y, x, hours, sun);
}
