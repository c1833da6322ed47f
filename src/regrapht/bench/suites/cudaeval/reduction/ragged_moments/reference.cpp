#include <cmath>
#include <cstdint>
#include <vector>

void ragged_moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean, double* spread, int32_t* mark)
{
    std::vector<double> kept;
    for (int g = 0; g < meters; ++g) {
        const int end = g + 1 == meters ? readings : start[g + 1];
        kept.clear();
        for (int i = start[g]; i < end; ++i)
            if (reading[i] >= 0.0f) kept.push_back(std::floor(reading[i] * 16.0f));  // meters count in sixteenths
        valid[g] = (int32_t)kept.size();
        mean[g] = spread[g] = 0.0;
        mark[g] = 0;
        if (kept.size() < 2) continue;

        double sum = 0.0;
        for (double x : kept) sum += x;
        const double average = sum / kept.size();
        double squares = 0.0;
        int below = 0, above = 0;
        for (double x : kept) {
            squares += (x - average) * (x - average);
            below += x * kept.size() < sum;
            above += x * kept.size() > sum;
        }
        mean[g] = average;
        spread[g] = std::sqrt(squares / (kept.size() - 1));
        mark[g] = below > above ? 1 : below < above ? -1 : 0;
    }
}
