#include <cstdint>

struct Best {
    int64_t result = 0;
    int32_t route = -1;
};

void currency_triangles(int moments, int n, int32_t cost, const int32_t* quote, int64_t* most, int32_t* route, int32_t* paying)
{
    for (int s = 0; s < moments; ++s) {
        const int32_t* q = quote + (long)s * n * n;
        Best best;
        paying[s] = 0;
        for (int i = 0; i < n; ++i) {
            for (int j = i + 1; j < n; ++j) {
                for (int k = i + 1; k < n; ++k) {
                    if (k == j) continue;
                    const int64_t there = (int64_t)q[i * n + j] * q[j * n + k] / 65536;
                    const int64_t result = there * q[k * n + i] / 65536;
                    paying[s] += result > 65536 + cost;
                    if (result > best.result) best = {result, (i * n + j) * n + k};
                }
            }
        }
        most[s] = best.result;
        route[s] = best.route;
    }
}
