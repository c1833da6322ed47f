#pragma once

#include <array>
#include <cstddef>
#include <vector>

#define DIMENSIONS 4

namespace cluster {

struct Settings {
    int clusters = 5;
    int rounds = 20;
    double moved = 1e-6;
};

/// Points of DIMENSIONS numbers, one after the other, and the cluster of each.
struct Points {
    std::vector<double> values;
    std::vector<int> nearest;
    int size() const { return static_cast<int>(nearest.size()); }
};

Points scattered(int count, unsigned seed);
void assign(const Points& points, const std::vector<double>& centres, std::vector<int>& nearest, const Settings& settings);
void sums(const Points& points, std::vector<double>& total, std::vector<int>& members, int clusters);
double move(std::vector<double>& centres, const std::vector<double>& total, const std::vector<int>& members, int clusters);
double inertia(const Points& points, const std::vector<double>& centres);
void normalise(double (*points)[DIMENSIONS], const std::array<double, DIMENSIONS>& scale, int count);

}  // namespace cluster
