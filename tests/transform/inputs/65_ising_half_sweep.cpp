// Metropolis updates of a periodic Ising lattice, white squares then black ones. `accept` holds the five probabilities by neighbour sum;
// the random numbers are given, one a site.
void ising_half_sweep(int n, const float* random, const float* accept, signed char* spin) {
    for (int parity = 0; parity < 2; parity++)
        for (int i = 0; i < n; i++) {
            const int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
            for (int j = 0; j < n; j++) {
                if ((i + j) % 2 != parity) continue;
                const int left = (j + n - 1) % n, right = (j + 1) % n;
                const int around = spin[up * n + j] + spin[down * n + j] + spin[i * n + left] + spin[i * n + right];
                const int aligned = spin[i * n + j] * around;
                if (random[i * n + j] < accept[(aligned + 4) / 2])
                    spin[i * n + j] = (signed char)-spin[i * n + j];
            }
        }
}
