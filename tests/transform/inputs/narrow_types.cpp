// shape: a = n
// shape: out = 5
// check: n=1; n=40; n=700
void narrow_types(int n, const short* a, int* out) {
    unsigned char brightest = 0, wrapped = 0;
    short lowest = 32767;
    long long widest = -100000;
    int steps = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] * 3 > brightest) brightest = a[i] * 3;
    }
    for (int i = 0; i < n; i++) wrapped += a[i] * 7;
    for (int i = 0; i < n; i++) {
        lowest = a[i] < lowest ? a[i] : lowest;
        if (a[i] > widest) widest = a[i];
    }
    for (int i = 0; i < n; i++) steps += a[i] * 0.3f;
    out[0] = brightest;
    out[1] = wrapped;
    out[2] = lowest;
    out[3] = (int)widest;
    out[4] = steps;
}
