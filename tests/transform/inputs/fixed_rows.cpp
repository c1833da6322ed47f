// shape: a = n * 48
// shape: b = n * 48
// check: n=1; n=20; n=70
void fixed_rows(int n, const float a[][48], float (*b)[48]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 48; j++) b[i][j] = a[i][47 - j] + 0.5f * a[i][j];
}
