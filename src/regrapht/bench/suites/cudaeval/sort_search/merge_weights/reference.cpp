#include <cstdint>

struct Reader {
    const int32_t *key, *weight, *end;

    bool has() const { return key < end; }
};

void merge_weights(int pairs, int n, const int32_t* key_a, const int32_t* weight_a, const int32_t* key_b, const int32_t* weight_b,
                   int32_t* key, int32_t* weight, int32_t* count) {
    for (int64_t p = 0; p < pairs; ++p) {
        Reader a = {key_a + p * n, weight_a + p * n, key_a + (p + 1) * n};
        Reader b = {key_b + p * n, weight_b + p * n, key_b + (p + 1) * n};
        int32_t *to_key = key + 2 * p * n, *to_weight = weight + 2 * p * n;
        int32_t found = 0;
        while (a.has() || b.has()) {
            Reader& least = !b.has() || (a.has() && *a.key <= *b.key) ? a : b;
            if (found > 0 && to_key[found - 1] == *least.key) {
                to_weight[found - 1] += *least.weight;
            } else {
                to_key[found] = *least.key;
                to_weight[found++] = *least.weight;
            }
            ++least.key;
            ++least.weight;
        }
        count[p] = found;
        for (int32_t k = found; k < 2 * n; ++k) to_key[k] = to_weight[k] = 0;
    }
}
