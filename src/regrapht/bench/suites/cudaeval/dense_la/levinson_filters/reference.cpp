#include <algorithm>
#include <cstdint>
#include <vector>

// Levinson-Durbin recursion for each frame.
void levinson_filters(int frames, int order, const float* energy, const float* lag, float* filter, float* residue) {
    std::vector<float> before(order);
    for (int f = 0; f < frames; ++f, lag += order, filter += order) {
        std::fill(filter, filter + order, 0.0f);
        float error = energy[f];
        int m = 0;
        while (m < order && error > 0.0f) {
            float gap = lag[m];
            for (int j = 0; j < m; ++j) gap += filter[j] * lag[m - 1 - j];
            const float reflection = -gap / error;
            std::copy(filter, filter + m, before.begin());
            for (int j = 0; j < m; ++j) filter[j] += reflection * before[m - 1 - j];
            filter[m] = reflection;
            error *= 1.0f - reflection * reflection;
            ++m;
        }
        residue[f] = error;
    }
}
