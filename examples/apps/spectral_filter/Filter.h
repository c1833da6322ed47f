#ifndef FILTER_H
#define FILTER_H

#include <vector>

/// What is done to spectra, a row of `length` a signal.
namespace Filter
{
    /// How much of each frequency is kept.
    std::vector<double> bandPass(int length, double low, double high, double softness);

    void apply(std::vector<double>& re, std::vector<double>& im, const std::vector<double>& gain, int rows);
    void power(const std::vector<double>& re, const std::vector<double>& im, std::vector<double>& out, int rows, int length);
    void scale(std::vector<double>& re, std::vector<double>& im, double factor);
    double rms(const std::vector<double>& signal);
}

/// Test signals.
namespace Signal
{
    void chirps(std::vector<double>& re, std::vector<double>& im, int rows, int length);
    void window(std::vector<double>& re, int rows, int length);
}

#endif
