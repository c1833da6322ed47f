// Squared Euclidean length of a vector: the residual that an iterative solver prints in every step.
float sum_of_squares(int n, const float* x) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sum;
}
