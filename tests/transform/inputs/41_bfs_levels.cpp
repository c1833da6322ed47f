// Distance in links of every node from node 0, by a queue; -1 where there is no way.
void bfs_levels(int nodes, int links, const int* start, const int* target, int* level, int* queue) {
    (void)links;
    for (int v = 0; v < nodes; v++) {
        level[v] = -1;
        queue[v] = 0;
    }
    int head = 0, tail = 0;
    level[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        const int v = queue[head++];
        for (int e = start[v]; e < start[v + 1]; e++) {
            const int w = target[e];
            if (level[w] >= 0) continue;
            level[w] = level[v] + 1;
            queue[tail++] = w;
        }
    }
}
