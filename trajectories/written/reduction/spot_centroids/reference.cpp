#include <cstdint>

// Shack-Hartmann sensor: centre of gravity of the light above a threshold in every subaperture of every frame.
void spot_centroids(int frames, int rows, int cols, int w, int32_t threshold, const uint16_t* image, float* cx, float* cy) {
    for (int f = 0; f < frames; ++f)
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c) {
                int32_t mass = 0, mx = 0, my = 0;
                for (int y = 0; y < w; ++y)
                    for (int x = 0; x < w; ++x) {
                        int32_t v = image[((long long)(f * rows + r) * w + y) * cols * w + c * w + x] - threshold;
                        if (v > 0) {
                            mass += v;
                            mx += v * x;
                            my += v * y;
                        }
                    }
                const int spot = (f * rows + r) * cols + c;
                cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
                cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
            }
}
