#include <cstddef>
#include <cstdint>
#include <vector>

template <typename A, typename B>
static int64_t squared(int dims, const A* a, const B* b)
{
    int64_t sum = 0;
    for (int d = 0; d < dims; ++d) {
        const int64_t diff = a[d] - b[d];
        sum += diff * diff;
    }
    return sum;
}

void kmeans_round(int points, int dims, int k, const int16_t* point, const int16_t* centroid, int32_t* owner, int16_t* moved, int32_t* count,
                  int64_t* cost)
{
    std::vector<int64_t> sums((size_t)k * dims, 0);
    for (int c = 0; c < k; ++c) count[c] = 0;
    *cost = 0;
    for (int i = 0; i < points; ++i) {
        const int16_t* own = point + (size_t)i * dims;
        int best = 0;
        int64_t least = squared(dims, own, centroid);
        for (int c = 1; c < k; ++c) {
            const int64_t far = squared(dims, own, centroid + (size_t)c * dims);
            if (far < least) {
                least = far;
                best = c;
            }
        }
        owner[i] = best;
        *cost += least;
        ++count[best];
        for (int d = 0; d < dims; ++d) sums[(size_t)best * dims + d] += own[d];
    }
    for (int c = 0; c < k; ++c)
        for (int d = 0; d < dims; ++d) {
            const size_t at = (size_t)c * dims + d;
            moved[at] = count[c] ? (int16_t)(sums[at] / count[c]) : centroid[at];
        }
}
