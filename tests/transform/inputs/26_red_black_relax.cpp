// Successive over-relaxation in two colours: first the points with i + j even, then the others, `rounds` times.
void red_black_relax(int n, int rounds, float omega, float* u) {
    for (int round = 0; round < rounds; round++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour + 1) % 2; j < n - 1; j += 2) {
                    const float mean = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
                    u[i * n + j] += omega * (mean - u[i * n + j]);
                }
}
