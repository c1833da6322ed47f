#include <cmath>
#include <valarray>
#include <vector>

using Row = std::valarray<double>;

void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest)
{
    std::vector<Row> unit;
    for (int g = 0; g < genes; ++g) {
        Row row(samples);
        for (int s = 0; s < samples; ++s) row[s] = expression[(long)g * samples + s];
        row -= row.sum() / samples;
        row /= std::sqrt((row * row).sum() + 0.01);
        unit.push_back(row);
    }
    for (int i = 0; i < genes; ++i) {
        strongest[i] = 0;
        for (int j = 0; j < genes; ++j) {
            const float c = (float)(unit[i] * unit[j]).sum();
            correlation[(long)i * genes + j] = c;
            if (i != j && std::fabs(c) > strongest[i]) strongest[i] = std::fabs(c);
        }
    }
}
