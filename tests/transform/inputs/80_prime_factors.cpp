// The smallest prime factor of every number below `limit` by a sieve, then the number of prime factors of each queried one.
void prime_factors(int limit, int queries, const int* query, int* smallest, int* factors) {
    for (int v = 0; v < limit; v++)
        smallest[v] = v;
    for (int p = 2; p * p < limit; p++) {
        if (smallest[p] != p) continue;
        for (int multiple = p * p; multiple < limit; multiple += p)
            if (smallest[multiple] == multiple) smallest[multiple] = p;
    }
    for (int q = 0; q < queries; q++) {
        int rest = query[q], found = 0;
        while (rest > 1) {
            rest /= smallest[rest];
            found++;
        }
        factors[q] = found;
    }
}
