#include <cmath>
#include <complex>
#include <vector>

struct Sample { float re, im; };

void range_doppler(int pulses, int gates, const Sample* echo, const float* window, float* power, float* noise)
{
    std::vector<std::complex<double>> turn(pulses);
    for (int k = 0; k < pulses; ++k) turn[k] = std::polar(1.0, -2 * M_PI * k / pulses);
    for (int g = 0; g < gates; ++g) {
        double total = 0;
        for (int d = 0; d < pulses; ++d) {
            std::complex<double> sum = 0;
            for (int p = 0; p < pulses; ++p) {
                const Sample& own = echo[(long)p * gates + g];
                sum += std::complex<double>(own.re, own.im) * (double)window[p] * turn[(long)d * p % pulses];
            }
            power[(long)g * pulses + (d + pulses / 2) % pulses] = (float)std::norm(sum);
            total += std::norm(sum);
        }
        noise[g] = (float)(total / pulses);
    }
}
