// shape: in = w*h
// shape: out = w*h
// init: in = ints(0, 256)
// check: w=1, h=1; w=19, h=11; w=40, h=40
// random: w=1..80, h=1..50
template <typename T>
void erode(const T* in, T* out, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            T low = in[y * w + x];
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    const int yy = y + dy, xx = x + dx;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    const T v = in[yy * w + xx];
                    if (v < low) low = v;
                }
            out[y * w + x] = low;
        }
}

template void erode<unsigned char>(const unsigned char*, unsigned char*, int, int);
