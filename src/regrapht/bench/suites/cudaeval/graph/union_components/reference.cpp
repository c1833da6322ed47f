struct Edge {
    int u, v;
};

// Root of v; every second vertex on the way is hung one level higher.
static int find_root(int* parent, int v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

void union_components(int vertices, int edges, const Edge* edge, int* label) {
    for (int v = 0; v < vertices; ++v) label[v] = v;
    for (int k = 0; k < edges; ++k) {
        int a = find_root(label, edge[k].u);
        int b = find_root(label, edge[k].v);
        if (a < b) label[b] = a;
        else if (b < a) label[a] = b;
    }
    // A parent is never larger than its child, so its label is final before the child's turn.
    for (int v = 0; v < vertices; ++v) label[v] = label[label[v]];
}
