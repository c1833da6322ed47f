#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {
constexpr int kSize = 64, kPage = 16, kGroup = 4;

// The keys or values of one sequence, scattered over the pages of a pool that all sequences share.
struct PagedRows {
    const float* pool;
    const int32_t* page;
    int kv_heads;

    const float* of(int head, int token) const {
        const size_t block = (size_t)page[token / kPage] * kv_heads + head;
        return pool + (block * kPage + token % kPage) * kSize;
    }
};

float product(const float* a, const float* b) {
    float sum = 0.0f;
    for (int d = 0; d < kSize; ++d) sum += a[d] * b[d];
    return sum;
}
}  // namespace

void paged_decode(int batch, int kv_heads, int pages, int pool, const float* query, const float* key, const float* value,
                  const int32_t* table, const int32_t* length, float* out) {
    (void)pool;
    std::vector<float> weight((size_t)pages * kPage);
    for (int s = 0; s < batch; ++s) {
        const PagedRows keys{key, table + (size_t)s * pages, kv_heads}, values{value, keys.page, kv_heads};
        for (int head = 0; head < kv_heads * kGroup; ++head) {
            const size_t at = ((size_t)s * kv_heads * kGroup + head) * kSize;
            float peak = -INFINITY;
            for (int t = 0; t < length[s]; ++t) {
                weight[t] = product(query + at, keys.of(head / kGroup, t)) * 0.125f;
                peak = std::max(peak, weight[t]);
            }
            std::fill(out + at, out + at + kSize, 0.0f);
            float total = 0.0f;
            for (int t = 0; t < length[s]; ++t) {
                const float share = std::exp(weight[t] - peak);
                const float* row = values.of(head / kGroup, t);
                total += share;
                for (int d = 0; d < kSize; ++d) out[at + d] += share * row[d];
            }
            for (int d = 0; d < kSize; ++d) out[at + d] /= total;
        }
    }
}
