// shape: out = w*h
// check: w=1, h=1; w=16, h=9
// random: w=1..40, h=1..40
struct Complex {
    float re, im;
    Complex(float r, float i) : re(r), im(i) {}
    Complex squared() const { return Complex(re * re - im * im, 2 * re * im); }
    float norm2() const { return re * re + im * im; }
};

static Complex operator+(const Complex& a, const Complex& b) { return Complex(a.re + b.re, a.im + b.im); }

void julia_set(int* out, int w, int h) {
    const Complex c(-0.4f, 0.6f);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            Complex z(3.0f * x / w - 1.5f, 2.0f * y / h - 1.0f);
            int k = 0;
            while (z.norm2() < 4.0f && k < 60) {
                z = z.squared() + c;
                k++;
            }
            out[y * w + x] = k;
        }
}
