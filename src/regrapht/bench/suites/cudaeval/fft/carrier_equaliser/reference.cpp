#include <complex>
#include <cstdint>

struct Carrier {
    double re, im;
    double squared() const { return re * re + im * im; }
};

static Carrier equalised(const Carrier& x, const Carrier& h, double noise)
{
    const std::complex<double> value = std::complex<double>(x.re, x.im) * std::complex<double>(h.re, -h.im) / (h.squared() + noise);
    return {value.real(), value.imag()};
}

void carrier_equaliser(int symbols, int carriers, double noise, const Carrier* h, const Carrier* x, Carrier* y, double* power, uint8_t* weak)
{
    for (int c = 0; c < carriers; ++c) weak[c] = h[c].squared() < noise;
    for (int s = 0; s < symbols; ++s, x += carriers, y += carriers) {
        power[s] = 0.0;
        for (int c = 0; c < carriers; ++c) {
            y[c] = weak[c] ? Carrier{0.0, 0.0} : equalised(x[c], h[c], noise);
            power[s] += y[c].squared();
        }
    }
}
