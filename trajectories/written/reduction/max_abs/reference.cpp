// Maximum norm of a vector.
#include <cmath>

float max_abs(int n, const float* x) {
    float largest = 0.0f;
    for (int i = 0; i < n; ++i) {
        float magnitude = std::fabs(x[i]);
        if (magnitude > largest) largest = magnitude;
    }
    return largest;
}
