#include <algorithm>
#include <cstdint>
#include <vector>

constexpr int kBins = 2048;

struct Peak {
    uint16_t bin;
    uint16_t height;
};

struct Match {
    int32_t entry;
    int32_t score;
    int32_t runner_up;
};

// Looks measured spectra up in a library: of the entries of about the same mass, the one that shares most intensity.
void spectrum_search(int queries, int entries, int peaks, int tolerance, const Peak* query, const int32_t* query_mass,
                     const Peak* library, const int32_t* mass, Match* match) {
    std::vector<int32_t> height(kBins);
    for (int q = 0; q < queries; ++q) {
        std::fill(height.begin(), height.end(), 0);
        for (int k = 0; k < peaks; ++k) height[query[(int64_t)q * peaks + k].bin] += query[(int64_t)q * peaks + k].height;
        Match best = {-1, 0, 0};
        int64_t e = std::lower_bound(mass, mass + entries, query_mass[q] - tolerance) - mass;
        for (; e < entries && mass[e] <= query_mass[q] + tolerance; ++e) {
            int32_t score = 0;
            for (const Peak* p = library + e * peaks; p != library + (e + 1) * peaks; ++p) score += height[p->bin] * p->height;
            if (score > best.score) {
                best.runner_up = best.score;
                best.score = score;
                best.entry = (int32_t)e;
            } else if (score > best.runner_up) {
                best.runner_up = score;
            }
        }
        match[q] = best;
    }
}
