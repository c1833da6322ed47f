// One round of weighted label propagation.
#include <algorithm>
#include <vector>

void weighted_label_vote(int vertices, int edges, int labels, const int* row_ptr, const int* other, const int* weight,
                         const int* label, int* new_label) {
    (void)edges;
    std::vector<int> votes(labels);
    for (int v = 0; v < vertices; ++v) {
        if (row_ptr[v] == row_ptr[v + 1]) {
            new_label[v] = label[v];
            continue;
        }
        std::fill(votes.begin(), votes.end(), 0);
        for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k) votes[label[other[k]]] += weight[k];
        new_label[v] = (int)(std::max_element(votes.begin(), votes.end()) - votes.begin());
    }
}
