// shape: a = n
// check: n=1; n=9; n=50
// random: n=1..120
#include <utility>

void brick_sort(int* a, int n) {
    bool sorted = false;
    while (!sorted) {
        sorted = true;
        for (int i = 1; i + 1 < n; i += 2) {
            if (a[i] > a[i + 1]) {
                std::swap(a[i], a[i + 1]);
                sorted = false;
            }
        }
        for (int i = 0; i + 1 < n; i += 2) {
            if (a[i] > a[i + 1]) {
                std::swap(a[i], a[i + 1]);
                sorted = false;
            }
        }
    }
}
