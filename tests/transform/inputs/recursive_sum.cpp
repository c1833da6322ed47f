// shape: values = n
// check: n=1
// expect: cannot
static float halves(const float* values, int first, int last) {
    if (last - first == 1) return values[first];
    const int middle = first + (last - first) / 2;
    return halves(values, first, middle) + halves(values, middle, last);
}
float recursive_sum(int n, const float* values) { return halves(values, 0, n); }
