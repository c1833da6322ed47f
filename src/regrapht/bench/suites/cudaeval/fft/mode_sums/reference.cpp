#include <cmath>

// Sums of weighted waves over scattered points, mode by mode.
void mode_sums(int points, int modes, const double* place, const float* weight, float* mode) {
    for (int k = 0; k < modes; ++k) {
        double re = 0.0, im = 0.0;
        for (int j = 0; j < points; ++j) {
            double turns = k * place[j];
            turns -= std::floor(turns);
            re += weight[j] * std::cos(6.283185307179586 * turns);
            im -= weight[j] * std::sin(6.283185307179586 * turns);
        }
        mode[2 * k] = (float)re;
        mode[2 * k + 1] = (float)im;
    }
}
