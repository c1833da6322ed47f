#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

constexpr int kPage = 16;

struct Cache {
    const float* pool;
    const int32_t* page;
    int groups, width;

    const float* row(int token, int group) const
    {
        const size_t place = (size_t)page[token / kPage] * kPage + token % kPage;
        return pool + (place * groups + group) * width;
    }
};

void paged_attention_step(int sequences, int heads, int groups, int width, int pages, int slots, const float* query, const float* keys,
                          const float* values, const int32_t* page, const int32_t* used, float* out)
{
    (void)pages;
    std::vector<float> weight;
    for (int s = 0; s < sequences; ++s) {
        const Cache k{keys, page + (size_t)s * slots, groups, width}, v{values, page + (size_t)s * slots, groups, width};
        for (int h = 0; h < heads; ++h) {
            const float* q = query + ((size_t)s * heads + h) * width;
            float* to = out + ((size_t)s * heads + h) * width;
            const int group = h * groups / heads;
            std::fill_n(to, width, 0.0f);
            weight.assign(used[s], 0.0f);
            float top = -INFINITY, total = 0.0f;
            for (int t = 0; t < used[s]; ++t) {
                for (int c = 0; c < width; ++c) weight[t] += q[c] * k.row(t, group)[c];
                weight[t] /= std::sqrt((float)width);
                top = std::max(top, weight[t]);
            }
            for (float& w : weight) total += w = std::exp(w - top);
            for (int t = 0; t < used[s]; ++t)
                for (int c = 0; c < width; ++c) to[c] += weight[t] / total * v.row(t, group)[c];
        }
    }
}
