#include <cstdint>
#include <cstdlib>

// Edge strength of a grey picture, |gx| + |gy|, cut off at 255; the frame is left black.
void sobel_bytes(int w, int h, const uint8_t *in, uint8_t *out)
{
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
                out[y * w + x] = 0;
                continue;
            }
            const uint8_t *p = &in[y * w + x];
            int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1];
            int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[1 - w];
            int sum = abs(gx) + abs(gy);
            out[y * w + x] = sum > 255 ? 255 : (uint8_t)sum;
        }
    }
}
