// Lays a premultiplied RGBA layer over an RGB picture; both are walked by pointer.
void blend_walk(int pixels, const unsigned char *layer, unsigned char *picture)
{
    const unsigned char *s = layer;
    unsigned char *d = picture;
    int left = pixels;
    while (left) {
        unsigned keep = 255u - s[3];
        unsigned r = s[0] + (d[0] * keep + 127u) / 255u;
        unsigned g = s[1] + (d[1] * keep + 127u) / 255u;
        unsigned b = s[2] + (d[2] * keep + 127u) / 255u;
        *d++ = (unsigned char)(r > 255u ? 255u : r);
        *d++ = (unsigned char)(g > 255u ? 255u : g);
        *d++ = (unsigned char)(b > 255u ? 255u : b);
        s += 4;
        --left;
    }
}
