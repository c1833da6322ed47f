#include <cstdint>
#include <vector>

void page_scores(int pages, int entries, int rounds, const int32_t* row, const int32_t* from, const int32_t* links, float* score) {
    (void)entries;
    std::vector<float> share(pages);
    for (int p = 0; p < pages; ++p) score[p] = 1.0f / pages;
    while (rounds-- > 0) {
        double lost = 0.0;
        for (int q = 0; q < pages; ++q) {
            if (links[q] == 0) lost += score[q];
            share[q] = links[q] == 0 ? 0.0f : score[q] / links[q];
        }
        const float base = (float)((0.15 + 0.85 * lost) / pages);
        for (int p = 0; p < pages; ++p) {
            float sum = 0.0f;
            for (int e = row[p]; e < row[p + 1]; ++e) sum += share[from[e]];
            score[p] = base + 0.85f * sum;
        }
    }
}
