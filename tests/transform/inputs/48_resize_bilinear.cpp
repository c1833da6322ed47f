// Enlarges or shrinks a picture by bilinear interpolation in 16.16 fixed point; pixel centres lie at half steps.
static int clamped(int v, int high) { return v < 0 ? 0 : v > high ? high : v; }

void resize_bilinear(int sw, int sh, int dw, int dh, const unsigned char* source, unsigned char* target) {
    const long long step_x = ((long long)sw << 16) / dw, step_y = ((long long)sh << 16) / dh;
    for (int y = 0; y < dh; y++) {
        const long long fy = y * step_y + step_y / 2 - 32768;
        const int y0 = clamped((int)(fy >> 16), sh - 1), y1 = clamped((int)(fy >> 16) + 1, sh - 1);
        const int wy = (int)(fy & 65535);
        for (int x = 0; x < dw; x++) {
            const long long fx = x * step_x + step_x / 2 - 32768;
            const int x0 = clamped((int)(fx >> 16), sw - 1), x1 = clamped((int)(fx >> 16) + 1, sw - 1);
            const int wx = (int)(fx & 65535);
            const long long upper = source[y0 * sw + x0] * (65536LL - wx) + source[y0 * sw + x1] * (long long)wx;
            const long long under = source[y1 * sw + x0] * (65536LL - wx) + source[y1 * sw + x1] * (long long)wx;
            target[y * dw + x] = (unsigned char)((upper * (65536LL - wy) + under * wy + (1LL << 31)) >> 32);
        }
    }
}
