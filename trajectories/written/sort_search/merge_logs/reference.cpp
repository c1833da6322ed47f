// Two-finger merge of two sorted logs; the first log wins ties.
#include <cstddef>

void merge_logs(int n, int m, const long long* time_a, const int* event_a, const long long* time_b, const int* event_b,
                long long* time, int* event) {
    int a = 0, b = 0;
    for (size_t k = 0; k < (size_t)n + m; ++k) {
        bool from_a = b >= m || (a < n && time_a[a] <= time_b[b]);
        time[k] = from_a ? time_a[a] : time_b[b];
        event[k] = from_a ? event_a[a++] : event_b[b++];
    }
}
