// shape: from = m
// shape: to = m
// shape: label = n
// init: from = ints(0, n)
// init: to = ints(0, n)
// one thread: 12
// check: n=1, m=1; n=20, m=15; n=100, m=90
// random: n=1..200, m=1..150
void components(const int* from, const int* to, int* label, int n, int m) {
    for (int i = 0; i < n; ++i) label[i] = i;
    bool changed;
    do {
        changed = false;
        for (int e = 0; e < m; ++e) {
            const int a = label[from[e]], b = label[to[e]];
            if (a < b) {
                label[to[e]] = a;
                changed = true;
            } else if (b < a) {
                label[from[e]] = b;
                changed = true;
            }
        }
    } while (changed);
}
