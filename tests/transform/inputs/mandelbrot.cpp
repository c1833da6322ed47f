// shape: out = w * h
// check: w=1,h=1; w=33,h=9
void mandelbrot(int w, int h, int limit, int* out) {
    for (int py = 0; py < h; py++) {
        for (int px = 0; px < w; px++) {
            float cx = -2.0f + 3.0f * px / w, cy = -1.0f + 2.0f * py / h;
            float x = 0.0f, y = 0.0f;
            int k = 0;
            while (x * x + y * y <= 4.0f && k < 20 + limit) {
                float t = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = t;
                ++k;
            }
            out[py * w + px] = k;
        }
    }
}
