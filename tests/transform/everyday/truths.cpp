// shape: wall = w*h
// shape: wet = w*h
// shape: above = w*h
// shape: row_any = h
// shape: counts = h
// shape: x = w*h
// init: wall = ints(0, 2)
// init: wet = ints(0, 2)
// init: above = ints(0, 2)
// init: row_any = ints(0, 2)
// init: counts = ints(0, 4)
// check: w=1, h=1; w=19, h=11; w=40, h=36
// random: w=1..80, h=1..50
void truths(const bool* wall, bool* wet, bool* above, bool* row_any, int* counts, const int* x, int w, int h) {
    for (int y = 0; y < h; y++) {
        bool any = false;
        for (int i = 0; i < w; i++) {
            above[y * w + i] = x[y * w + i] & 6;  // 2, 4 and 6 become true
            any |= above[y * w + i];
        }
        row_any[y] = any;
    }
    for (int y = 0; y < h; y++) {
        int c = 0;
        for (int i = 0; i < w; i++) c += wall[y * w + i] + above[y * w + i];
        counts[y] += c;
    }
    for (int y = 1; y < h; y++)
        for (int i = 0; i < w; i++) {
            if (wall[y * w + i]) continue;
            if (wet[(y - 1) * w + i]) wet[y * w + i] = true;
        }
    for (int i = 0; i < w * h; i++) wet[i] ^= above[i];
}
