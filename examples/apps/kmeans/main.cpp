#include "kmeans.hpp"

#include <cstdio>
#include <fstream>

namespace cluster {

Points scattered(int count, unsigned seed) {
    Points points;
    points.values.resize(count * DIMENSIONS);
    points.nearest.resize(count);
    unsigned long long state = seed;
    for (double& value : points.values) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        value = (state >> 40) / 16777216.0;
    }
    return points;
}

}  // namespace cluster

/// Usage: kmeans INPUT, a file with: points, clusters, rounds.
int main(int count, char** words) {
    int size = 0;
    cluster::Settings settings;
    std::ifstream input(count > 1 ? words[1] : "");
    if (!(input >> size >> settings.clusters >> settings.rounds)) {
        std::fprintf(stderr, "usage: kmeans INPUT\n");
        return 2;
    }
    cluster::Points points = cluster::scattered(size, 7);
    cluster::normalise(reinterpret_cast<double (*)[DIMENSIONS]>(points.values.data()), {1.0, 2.0, 0.5, 1.5}, size);
    std::vector<double> centres(points.values.begin(), points.values.begin() + settings.clusters * DIMENSIONS);
    std::vector<double> total(centres.size());
    std::vector<int> members(settings.clusters);
    int round = 0;
    for (; round < settings.rounds; ++round) {
        cluster::assign(points, centres, points.nearest, settings);
        cluster::sums(points, total, members, settings.clusters);
        if (cluster::move(centres, total, members, settings.clusters) < settings.moved) break;
    }
    std::printf("rounds %d inertia %.6f members", round, cluster::inertia(points, centres));
    for (int m : members) std::printf(" %d", m);
    std::printf("\n");
}
