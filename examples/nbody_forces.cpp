#include <cmath>

// Gravitational acceleration of n bodies on each other in two dimensions. The softening keeps close pairs finite.
// There is no task.toml beside this file: `regrapht optimize examples/nbody_forces.cpp` infers one.
void nbody_forces(int n, float softening, const float* x, const float* y, const float* mass, float* ax, float* ay) {
    for (int i = 0; i < n; i++) {
        float sum_x = 0.0f;
        float sum_y = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i];
            float dy = y[j] - y[i];
            float distance2 = dx * dx + dy * dy + softening * softening;
            float inverse = 1.0f / sqrtf(distance2);
            float pull = mass[j] * inverse * inverse * inverse;
            sum_x += dx * pull;
            sum_y += dy * pull;
        }
        ax[i] = sum_x;
        ay[i] = sum_y;
    }
}
