#include "Filter.h"

#include <cmath>

namespace Signal
{

void chirps(std::vector<double>& re, std::vector<double>& im, int rows, int length)
{
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < length; ++i)
        {
            const double t = static_cast<double>(i) / length;
            const double rate = 20.0 + 3.0 * (r % 11);
            re[r * length + i] = std::sin(6.283185307179586 * (rate * t + 40.0 * t * t)) + 0.3 * std::sin(2.1 * i + r);
            im[r * length + i] = 0.0;
        }
}

// Hann's.
void window(std::vector<double>& re, int rows, int length)
{
    for (int r = 0; r < rows; ++r)
        for (int i = 0; i < length; ++i)
            re[r * length + i] *= 0.5 - 0.5 * std::cos(6.283185307179586 * i / (length - 1));
}

}
