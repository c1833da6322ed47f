// Spectrum of Lorentz lines with a cutoff, one line after the other.
#include <algorithm>
#include <cmath>

static const float kStep = 0.015625f;

void line_by_line(int points, int lines, float cutoff, const float* centre, const float* strength, const float* width,
                  float* absorption) {
    for (int i = 0; i < points; ++i) absorption[i] = 0.0f;
    for (int l = 0; l < lines; ++l) {
        const float square = width[l] * width[l], pedestal = 1.0f / (cutoff * cutoff + square);
        int first = std::max(0, (int)std::floor((centre[l] - cutoff) / kStep) - 1);
        int last = std::min(points - 1, (int)std::ceil((centre[l] + cutoff) / kStep) + 1);
        for (int i = first; i <= last; ++i) {
            float d = i * kStep - centre[l];
            if (std::fabs(d) >= cutoff) continue;
            absorption[i] += strength[l] * width[l] * (1.0f / (d * d + square) - pedestal);
        }
    }
}
