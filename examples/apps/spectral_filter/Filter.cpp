#include "Filter.h"

#include <cmath>

namespace Filter
{

std::vector<double> bandPass(int length, double low, double high, double softness)
{
    std::vector<double> gain(length);
    for (int k = 0; k < length; ++k)
    {
        const int folded = k <= length / 2 ? k : length - k;
        const double f = static_cast<double>(folded) / length;
        const double up = 1.0 / (1.0 + std::exp(-(f - low) / softness));
        const double down = 1.0 / (1.0 + std::exp((f - high) / softness));
        gain[k] = up * down;
    }
    return gain;
}

void apply(std::vector<double>& re, std::vector<double>& im, const std::vector<double>& gain, int rows)
{
    const int length = static_cast<int>(gain.size());
    for (int r = 0; r < rows; ++r)
    {
        for (int k = 0; k < length; ++k)
        {
            re[r * length + k] *= gain[k];
            im[r * length + k] *= gain[k];
        }
    }
}

void power(const std::vector<double>& re, const std::vector<double>& im, std::vector<double>& out, int rows, int length)
{
    for (int k = 0; k < length; ++k)
    {
        double sum = 0.0;
        for (int r = 0; r < rows; ++r)
            sum += re[r * length + k] * re[r * length + k] + im[r * length + k] * im[r * length + k];
        out[k] = sum / rows;
    }
}

void scale(std::vector<double>& re, std::vector<double>& im, double factor)
{
    for (double& value : re)
        value *= factor;
    for (double& value : im)
        value *= factor;
}

double rms(const std::vector<double>& signal)
{
    double sum = 0.0;
    for (double value : signal)
        sum += value * value;
    return std::sqrt(sum / signal.size());
}

}
