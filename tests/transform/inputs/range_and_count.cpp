// shape: a = n
// shape: lo = 1
// shape: hi = 1
// shape: positive = 1
// check: n=1; n=300; n=4097
void range_and_count(int n, const int* a, int* lo, int* hi, int* positive) {
    int smallest = 2147483647, largest = -2147483647, count = 0;
    for (int i = 0; i < n; i++) {
        smallest = a[i] < smallest ? a[i] : smallest;
        if (a[i] > largest) largest = a[i];
        if (a[i] > 0) count++;
    }
    *lo = smallest;
    *hi = largest;
    *positive = count;
}
