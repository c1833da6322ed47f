// One step of first-order advection; the side from which the gradient is taken depends on the sign of the local velocity.
void upwind_advection(int n, float courant, const float* velocity, const float* q, float* next) {
    next[0] = q[0];
    next[n - 1] = q[n - 1];
    for (int i = n - 2; i > 0; i--) {
        const int upwind = velocity[i] > 0.0f ? i - 1 : i + 1;
        const float speed = velocity[i] > 0.0f ? velocity[i] : -velocity[i];
        next[i] = q[i] - courant * speed * (q[i] - q[upwind]);
    }
}
