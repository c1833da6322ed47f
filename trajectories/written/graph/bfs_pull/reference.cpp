// Bottom-up step of a breadth-first search: undiscovered vertices look for a predecessor in the frontier.

void bfs_pull(int vertices, int edges, int depth, const int* row_ptr, const int* pred, const int* level,
              int* new_level) {
    (void)edges;
    for (int v = 0; v < vertices; ++v) {
        int found = level[v];
        if (found == -1) {
            for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k) {
                if (level[pred[k]] == depth) {
                    found = depth + 1;
                    break;
                }
            }
        }
        new_level[v] = found;
    }
}
