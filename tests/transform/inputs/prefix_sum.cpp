// shape: a = n
// shape: out = n
// check: n=1; n=100
void prefix_sum(int n, const int* a, int* out) {
    int run = 0;
    for (int i = 0; i < n; i++) {
        run += a[i];
        out[i] = run;
    }
}
