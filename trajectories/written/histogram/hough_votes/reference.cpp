// Weighted Hough transform of edge points in fixed point.
#include <cstddef>

void hough_votes(int n, int angles, int bins, const int* x, const int* y, const unsigned char* weight,
                 const int* cosine, const int* sine, unsigned* votes) {
    for (size_t cell = 0; cell < (size_t)angles * bins; ++cell) votes[cell] = 0;
    for (int point = 0; point < n; ++point) {
        for (int a = 0; a < angles; ++a) {
            int r = ((x[point] * cosine[a] + y[point] * sine[a]) >> 11) + bins / 2;
            if (r >= 0 && r < bins) votes[(size_t)a * bins + r] += weight[point];
        }
    }
}
