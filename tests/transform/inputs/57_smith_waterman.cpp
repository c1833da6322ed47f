// Local alignment of two sequences with a linear gap penalty: fills the whole table and returns its largest score.
#define MAX2(a, b) ((a) > (b) ? (a) : (b))

int smith_waterman(int m, int n, const char* first, const char* second, int* score) {
    const int width = n + 1;
    int best = 0;
    for (int j = 0; j <= n; j++) score[j] = 0;
    for (int i = 1; i <= m; i++) {
        score[i * width] = 0;
        for (int j = 1; j <= n; j++) {
            const int match = first[i - 1] == second[j - 1] ? 3 : -2;
            int s = score[(i - 1) * width + j - 1] + match;
            s = MAX2(s, score[(i - 1) * width + j] - 2);
            s = MAX2(s, score[i * width + j - 1] - 2);
            s = MAX2(s, 0);
            score[i * width + j] = s;
            best = MAX2(best, s);
        }
    }
    return best;
}
