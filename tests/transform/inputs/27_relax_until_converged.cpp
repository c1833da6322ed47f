#include <cstdlib>

// Smooths the inside of a rod with fixed ends until no point moves by more than `eps`, or for `limit` rounds; returns the rounds taken.
// The numbers are in fixed point (1/1024), so that every machine stops in the same round.
int relax_until_converged(int n, int eps, int limit, int* rod, int* scratch) {
    int rounds = 0, moved = eps + 1;
    while (moved > eps && rounds < limit) {
        moved = 0;
        for (int i = 1; i < n - 1; i++)
            scratch[i] = (rod[i - 1] + 2 * rod[i] + rod[i + 1]) / 4;
        for (int i = 1; i < n - 1; i++) {
            const int change = std::abs(scratch[i] - rod[i]);
            if (change > moved) moved = change;
            rod[i] = scratch[i];
        }
        rounds++;
    }
    return rounds;
}
