#include <cmath>
#include <cstdint>

// Cosine-like relevance of documents to one query: terms are weighted by log-scaled counts and inverse document frequency.
void tfidf_scores(int docs, int terms, int entries, const int32_t* first, const int32_t* term, const uint8_t* count, const float* idf,
                  const float* query, float* score) {
    for (int d = 0; d < docs; ++d) {
        float match = 0.0f, square = 0.0f;
        for (int k = first[d]; k < first[d + 1]; ++k) {
            float weight = (1.0f + std::log((float)count[k])) * idf[term[k]];
            match += weight * query[term[k]];
            square += weight * weight;
        }
        score[d] = square > 0.0f ? match / std::sqrt(square) : 0.0f;
    }
}
