// shape: key = n
// shape: weight = n
// shape: total = bins
// init: key = ints(0, bins)
// nondeterministic
// check: n=1,bins=1; n=1000,bins=7; n=700,bins=300
void weighted_histogram(int n, int bins, const int* key, const float* weight, float* total) {
    for (int i = 0; i < n; i++) {
        const int k = key[i];
        total[k] += weight[i];
    }
}
