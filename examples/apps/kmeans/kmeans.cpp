#include "kmeans.hpp"

#include <cmath>

namespace cluster {

template <typename T>
inline T square(T x) {
    return x * x;
}

void assign(const Points& points, const std::vector<double>& centres, std::vector<int>& nearest, const Settings& settings) {
    for (int p = 0; p < points.size(); ++p) {
        double least = 1e300;
        int best = 0;
        for (int c = 0; c < settings.clusters; ++c) {
            double distance = 0;
            for (int d = 0; d < DIMENSIONS; ++d)
                distance += square(points.values[p * DIMENSIONS + d] - centres[c * DIMENSIONS + d]);
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        nearest[p] = best;
    }
}

void sums(const Points& points, std::vector<double>& total, std::vector<int>& members, int clusters) {
    for (int i = 0; i < clusters * DIMENSIONS; ++i) total[i] = 0;
    for (int c = 0; c < clusters; ++c) members[c] = 0;
    for (int p = 0; p < points.size(); ++p) {
        const int c = points.nearest[p];
        members[c] += 1;
        for (int d = 0; d < DIMENSIONS; ++d) total[c * DIMENSIONS + d] += points.values[p * DIMENSIONS + d];
    }
}

double move(std::vector<double>& centres, const std::vector<double>& total, const std::vector<int>& members, int clusters) {
    double way = 0;
    for (int c = 0; c < clusters; ++c)
        for (int d = 0; d < DIMENSIONS; ++d) {
            const double now = members[c] > 0 ? total[c * DIMENSIONS + d] / members[c] : centres[c * DIMENSIONS + d];
            way += std::fabs(now - centres[c * DIMENSIONS + d]);
            centres[c * DIMENSIONS + d] = now;
        }
    return way;
}

double inertia(const Points& points, const std::vector<double>& centres) {
    double sum = 0;
    for (int p = 0; p < points.size(); ++p)
        for (int d = 0; d < DIMENSIONS; ++d)
            sum += square(points.values[p * DIMENSIONS + d] - centres[points.nearest[p] * DIMENSIONS + d]);
    return sum;
}

void normalise(double (*points)[DIMENSIONS], const std::array<double, DIMENSIONS>& scale, int count) {
    for (int p = 0; p < count; ++p)
        for (int d = 0; d < DIMENSIONS; ++d) points[p][d] *= scale[d];
}

}  // namespace cluster
