#include <cstdint>

// Triangles in an undirected graph given as an n x n matrix of bytes; only the part above the diagonal is looked at.
int64_t triangle_count(int n, const uint8_t* linked) {
    int64_t triangles = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            if (!(linked[a * n + b] & 1)) continue;
            for (int c = b + 1; c < n; c++)
                if ((linked[a * n + c] & 1) && (linked[b * n + c] & 1)) triangles++;
        }
    return triangles;
}
