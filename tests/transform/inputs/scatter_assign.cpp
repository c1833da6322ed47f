// shape: perm = n
// shape: a = n
// shape: out = m
// init: perm = ints(0, m)
// check: n=1,m=1; n=300,m=40
void scatter_assign(int n, int m, const int* perm, const float* a, float* out) {
    for (int i = 0; i < n; i++) out[perm[i]] = a[i];
}
