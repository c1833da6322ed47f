#include <algorithm>
#include <functional>
#include <vector>

void top_k(int n, int k, const float* x, float* top) {
    std::vector<float> all(x, x + n);
    std::partial_sort(all.begin(), all.begin() + k, all.end(), std::greater<float>());
    std::copy(all.begin(), all.begin() + k, top);
}
