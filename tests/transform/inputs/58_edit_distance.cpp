// Levenshtein distance of two byte strings with only two rows of the table; the rows change places after each character.
int edit_distance(int la, int lb, const unsigned char* a, const unsigned char* b, int* row0, int* row1) {
    int* above = row0;
    int* row = row1;
    for (int j = 0; j <= lb; j++) above[j] = j;
    for (int i = 0; i < la; i++) {
        row[0] = i + 1;
        for (int j = 0; j < lb; j++) {
            int cost = above[j] + (a[i] != b[j]);
            if (above[j + 1] + 1 < cost) cost = above[j + 1] + 1;
            if (row[j] + 1 < cost) cost = row[j] + 1;
            row[j + 1] = cost;
        }
        int* t = above;
        above = row;
        row = t;
    }
    return above[lb];
}
