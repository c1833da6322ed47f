// Totals of order lines that are sorted by customer.

void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                     long long* spent, unsigned* lines, int* dearest) {
    int next = 0;
    for (int c = 0; c < customers; ++c) {
        spent[c] = 0;
        lines[c] = 0;
        dearest[c] = 0;
        while (next < n && customer[next] == c) {
            spent[c] += (long long)quantity[next] * cents[next];
            lines[c] += 1;
            if (cents[next] > dearest[c]) dearest[c] = cents[next];
            ++next;
        }
    }
}
