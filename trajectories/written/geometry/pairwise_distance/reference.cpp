// All Euclidean distances between two point sets.
#include <cmath>
#include <cstddef>

void pairwise_distance(int n, int m, int dim, const float* a, const float* b, float* distance) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            float sum = 0.0f;
            for (int d = 0; d < dim; ++d) {
                float difference = a[(size_t)i * dim + d] - b[(size_t)j * dim + d];
                sum += difference * difference;
            }
            distance[(size_t)i * m + j] = std::sqrt(sum);
        }
    }
}
