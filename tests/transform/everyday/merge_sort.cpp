// shape: a = n
// one thread: 11
// check: n=1; n=9; n=50
// random: n=1..200
#include <algorithm>
#include <cstring>

void merge_sort(int* a, int n) {
    int* buffer = new int[n];
    for (int width = 1; width < n; width *= 2) {
        for (int left = 0; left < n; left += 2 * width) {
            const int middle = std::min(left + width, n), right = std::min(left + 2 * width, n);
            int i = left, j = middle;
            for (int k = left; k < right; k++) {
                if (i < middle && (j >= right || a[i] <= a[j]))
                    buffer[k] = a[i++];
                else
                    buffer[k] = a[j++];
            }
        }
        memcpy(a, buffer, n * sizeof(int));
    }
    delete[] buffer;
}
