// The most likely sequence of hidden states, with log-likelihoods as whole numbers; of equal ones the lower state wins.
void viterbi_path(int steps, int states, const int* emission, const int* transition, int* score, int* from, int* path) {
    for (int s = 0; s < states; s++) {
        score[s] = emission[s];
        from[s] = 0;
    }
    for (int t = 1; t < steps; t++)
        for (int s = 0; s < states; s++) {
            int best = score[(t - 1) * states] + transition[s], arg = 0;
            for (int p = 1; p < states; p++) {
                const int candidate = score[(t - 1) * states + p] + transition[p * states + s];
                if (candidate > best) { best = candidate; arg = p; }
            }
            score[t * states + s] = best + emission[t * states + s];
            from[t * states + s] = arg;
        }
    int last = 0;
    for (int s = 1; s < states; s++)
        if (score[(steps - 1) * states + s] > score[(steps - 1) * states + last]) last = s;
    path[steps - 1] = last;
    for (int t = steps - 1; t > 0; t--)
        path[t - 1] = from[t * states + path[t]];
}
