// Late-interaction reranking: for each token of the query its best match in the document, added up.
#include <algorithm>
#include <cstddef>
#include <vector>

void maxsim_rerank(int docs, int doc_tokens, int query_tokens, int dim, const __half* query, const __half* doc, float* score) {
    std::vector<float> wanted((size_t)query_tokens * dim), token(dim), best(query_tokens);
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = (float)query[i];
    for (int d = 0; d < docs; ++d) {
        for (int t = 0; t < doc_tokens; ++t) {
            for (int k = 0; k < dim; ++k) token[k] = (float)doc[((size_t)d * doc_tokens + t) * dim + k];
            for (int q = 0; q < query_tokens; ++q) {
                float product = 0.0f;
                for (int k = 0; k < dim; ++k) product += wanted[(size_t)q * dim + k] * token[k];
                best[q] = t == 0 ? product : std::max(best[q], product);
            }
        }
        float sum = 0.0f;
        for (int q = 0; q < query_tokens; ++q) sum += best[q];
        score[d] = sum;
    }
}
