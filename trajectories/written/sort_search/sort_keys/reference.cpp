// Ascending in-place sort: heapsort, so that no scratch memory is needed.
#include <utility>

static void sift_down(int* keys, int root, int end) {
    for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
        if (child + 1 < end && keys[child + 1] > keys[child]) ++child;
        if (keys[root] >= keys[child]) return;
        std::swap(keys[root], keys[child]);
        root = child;
    }
}

void sort_keys(int n, int* keys) {
    for (int root = n / 2 - 1; root >= 0; --root) sift_down(keys, root, n);
    for (int end = n - 1; end > 0; --end) {
        std::swap(keys[0], keys[end]);
        sift_down(keys, 0, end);
    }
}
