#include <cmath>
#include <complex>

struct Cf {
    float re, im;
};

void radix4_pass(int batch, int quarter, const Cf* x, Cf* y)
{
    using cd = std::complex<double>;
    const double turn = -2.0 * std::acos(-1.0) / (4.0 * quarter);
    for (int b = 0; b < batch; ++b) {
        const Cf* in = x + (long)b * 4 * quarter;
        Cf* out = y + (long)b * 4 * quarter;
        for (int k = 0; k < quarter; ++k) {
            cd a[4];
            for (int j = 0; j < 4; ++j) a[j] = cd(in[k + j * quarter].re, in[k + j * quarter].im);
            const cd even = a[0] + a[2], odd = a[0] - a[2], sum = a[1] + a[3], cross = cd(0, -1) * (a[1] - a[3]);
            const cd butterfly[4] = {even + sum, odd + cross, even - sum, odd - cross};
            for (int m = 0; m < 4; ++m) {
                const cd value = butterfly[m] * std::polar(1.0, turn * k * m);
                out[4 * k + m] = {(float)value.real(), (float)value.imag()};
            }
        }
    }
}
