#include <cstdint>

// Products of two factor matrices at the places of a sparse pattern, minus the values observed there.
void sampled_products(int users, int items, int64_t ratings, int rank, const int64_t* first, const int32_t* item, const float* observed,
                      const float* user_factor, const float* item_factor, float* residual) {
    for (int u = 0; u < users; ++u) {
        const float* p = user_factor + (int64_t)u * rank;
        for (int64_t e = first[u]; e < first[u + 1]; ++e) {
            const float* q = item_factor + (int64_t)item[e] * rank;
            float sum = 0.0f;
            for (int k = 0; k < rank; ++k) sum += p[k] * q[k];
            residual[e] = observed[e] - sum;
        }
    }
}
