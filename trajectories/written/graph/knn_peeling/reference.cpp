// Synchronous peeling of a k-nearest-neighbour graph.
#include <cstddef>
#include <vector>

void knn_peeling(int vertices, int degree, int keep, int rounds, const int* neighbour, const unsigned char* start,
                 int* removed_in) {
    for (int v = 0; v < vertices; ++v) removed_in[v] = start[v] != 0 ? rounds + 1 : 0;
    std::vector<int> leaving;
    for (int round = 1; round <= rounds; ++round) {
        leaving.clear();
        for (int v = 0; v < vertices; ++v) {
            if (removed_in[v] <= rounds) continue;
            const int* list = neighbour + (size_t)v * degree;
            int support = 0;
            for (int j = 0; j < degree; ++j) support += removed_in[list[j]] > rounds;
            if (support < keep) leaving.push_back(v);
        }
        for (int v : leaving) removed_in[v] = round;
    }
}
