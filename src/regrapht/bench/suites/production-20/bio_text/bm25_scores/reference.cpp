#include <algorithm>
#include <cstdint>

void bm25_scores(int documents, int vocabulary, int postings, int queries, int terms, const int32_t* start, const int32_t* document,
                 const uint8_t* times, const float* idf, const int32_t* length, const int32_t* query, float* score)
{
    (void)vocabulary;
    (void)postings;
    int64_t total = 0;
    for (int d = 0; d < documents; ++d) total += length[d];
    const float average = std::max(1.0f, (float)total / documents);
    std::fill_n(score, (int64_t)queries * documents, 0.0f);
    for (int q = 0; q < queries; ++q) {
        float* row = score + (int64_t)q * documents;
        for (int k = 0; k < terms; ++k) {
            const int t = query[(int64_t)q * terms + k];
            for (int p = start[t]; p < start[t + 1]; ++p) {
                const int d = document[p];
                const float tf = times[p];
                row[d] += idf[t] * tf * 2.2f / (tf + 1.2f * (0.25f + 0.75f * (float)length[d] / average));
            }
        }
    }
}
