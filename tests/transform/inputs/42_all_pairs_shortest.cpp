// All shortest ways between n places (Floyd-Warshall), in place; lengths are small whole numbers and never overflow.
void all_pairs_shortest(int n, int* distance) {
    for (int via = 0; via < n; via++)
        for (int from = 0; from < n; from++) {
            const int first = distance[from * n + via];
            for (int to = 0; to < n; to++) {
                const int detour = first + distance[via * n + to];
                distance[from * n + to] = detour < distance[from * n + to] ? detour : distance[from * n + to];
            }
        }
}
