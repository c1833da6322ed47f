// shape: a = n*m
// shape: b = n*m
// shape: c = n*m
// one thread: 7
// check: n=1, m=1, ars=1, acs=1, crs=1, ccs=1; n=9, m=5, ars=5, acs=1, crs=1, ccs=9; n=4, m=30, ars=1, acs=4, crs=30, ccs=1
void add_views(const double* a, const double* b, double* c, int n, int m, int ars, int acs, int crs, int ccs) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i * crs + j * ccs] = a[i * ars + j * acs] + b[i * m + j];
}
