// shape: reach = n*n
// init: reach = ints(0, 2)
// check: n=1; n=7; n=33
// random: n=1..40
void closure(bool* reach, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) reach[i * n + j] = reach[i * n + j] || (reach[i * n + k] && reach[k * n + j]);
}
