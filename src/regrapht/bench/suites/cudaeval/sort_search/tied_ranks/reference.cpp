#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

static std::vector<int64_t> twice_ranks(const int32_t* mark, int n, int64_t& ties)
{
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [=](int p, int q) { return mark[p] < mark[q]; });
    std::vector<int64_t> ranks(n);
    for (int from = 0, to; from < n; from = to) {
        for (to = from; to < n && mark[order[to]] == mark[order[from]]; ++to) {}
        const int64_t t = to - from;
        for (int k = from; k < to; ++k) ranks[order[k]] = from + to + 1;
        ties += t * t * t - t;
    }
    return ranks;
}

void tied_ranks(int subjects, int n, const int32_t* a, const int32_t* b, int64_t* distance, int64_t* ties)
{
    for (int s = 0; s < subjects; ++s) {
        ties[s] = distance[s] = 0;
        const auto p = twice_ranks(a + (long)s * n, n, ties[s]), q = twice_ranks(b + (long)s * n, n, ties[s]);
        for (int i = 0; i < n; ++i) distance[s] += (p[i] - q[i]) * (p[i] - q[i]);
    }
}
