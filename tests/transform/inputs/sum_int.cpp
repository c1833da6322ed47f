// shape: a = n
// check: n=0; n=1; n=255; n=5001
long long sum_int(int n, const int* a) {
    long long total = 0;
    for (int i = 0; i < n; i++) total += a[i];
    return total;
}
