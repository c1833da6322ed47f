// Stable sorting by counting: how many elements come before each one, equal ones by their place; then each goes to its rank.
void rank_order(int n, const unsigned short* key, int* rank, unsigned short* sorted) {
    for (int i = 0; i < n; i++) {
        int before = 0;
        for (int j = 0; j < n; j++)
            before += (key[j] < key[i]) || (key[j] == key[i] && j < i);
        rank[i] = before;
    }
    for (int i = 0; i < n; i++)
        sorted[rank[i]] = key[i];
}
