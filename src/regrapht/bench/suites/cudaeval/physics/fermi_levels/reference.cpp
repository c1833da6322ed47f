#include <cmath>
#include <cstddef>

// How many electrons the levels hold at a chemical potential.
static double held(int levels, const float* energy, double potential, double heat) {
    double sum = 0.0;
    for (int i = 0; i < levels; ++i) sum += 2.0 / (1.0 + std::exp((energy[i] - potential) / heat));
    return sum;
}

void fermi_levels(int systems, int levels, const float* energy, const int* electrons, const float* heat, float* potential, float* total) {
    for (int s = 0; s < systems; ++s, energy += levels) {
        double low = energy[0], high = energy[0];
        for (int i = 1; i < levels; ++i) {
            low = std::fmin(low, energy[i]);
            high = std::fmax(high, energy[i]);
        }
        low -= 40.0 * heat[s];
        high += 40.0 * heat[s];
        while (high - low > 1e-7) {
            const double middle = 0.5 * (low + high);
            if (held(levels, energy, middle, heat[s]) < electrons[s])
                low = middle;
            else
                high = middle;
        }
        double sum = 0.0;
        for (int i = 0; i < levels; ++i) sum += 2.0 * energy[i] / (1.0 + std::exp((energy[i] - high) / heat[s]));
        potential[s] = (float)high;
        total[s] = (float)sum;
    }
}
