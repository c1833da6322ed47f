// `rounds` steps of PageRank on the graph of incoming links (CSR); `out_degree` is at least one, `next` is scratch.
void pagerank_pull(int nodes, int links, int rounds, const int* start, const int* source, const int* out_degree, double* rank,
                   double* next) {
    const double damping = 0.85;
    (void)links;
    for (int v = 0; v < nodes; v++) rank[v] = 1.0 / nodes;
    for (int r = 0; r < rounds; r++) {
        for (int v = 0; v < nodes; v++) {
            double gathered = 0;
            for (int e = start[v]; e < start[v + 1]; e++)
                gathered += rank[source[e]] / out_degree[source[e]];
            next[v] = (1.0 - damping) / nodes + damping * gathered;
        }
        for (int v = 0; v < nodes; v++) rank[v] = next[v];
    }
}
